//! Dates of the proleptic Gregorian calendar (UTC) from seconds since 1970 and back.

/// Seconds of a day.
const DAY: f64 = 86400.0;
/// Days of 400 years, after which the calendar repeats.
const ERA: i64 = 146_097;

/// Year, month, day, hour, minute, second.
pub fn vector(seconds: f64) -> [f64; 6] {
    let days = (seconds / DAY).floor();
    let rest = seconds - days * DAY;
    let (year, month, day) = civil(days as i64);
    let (hour, minute) = ((rest / 3600.0).floor(), (rest % 3600.0 / 60.0).floor());
    [year as f64, month as f64, day as f64, hour, minute, rest - hour * 3600.0 - minute * 60.0]
}

/// Seconds since 1970 of year, month, day, hour, minute, second.
pub fn seconds(vector: [f64; 6]) -> f64 {
    let [year, month, day, hour, minute, second] = vector;
    let days = days(year as i64, month as i64) as f64 + day - 1.0;
    days * DAY + hour * 3600.0 + minute * 60.0 + second
}

/// Days from 1 January 1970 to the first of a month. Years begin in March, so that the leap day is a year's last.
fn days(year: i64, month: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    era * ERA + year * 365 + year / 4 - year / 100 + (month * 153 + 2) / 5 - DAYS_TO_1970
}

/// Days from 1 March of the year 0 to 1 January 1970.
const DAYS_TO_1970: i64 = 719_468;

/// Year, month and day of the month.
fn civil(since_1970: i64) -> (i64, i64, i64) {
    let since = since_1970 + DAYS_TO_1970;
    let (era, day) = (since.div_euclid(ERA), since.rem_euclid(ERA));
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let day = day - (year * 365 + year / 4 - year / 100);
    let month = (day * 5 + 2) / 153;
    let day = day - (month * 153 + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + carry, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates() {
        // Octave: datenum(..) - 719529, times 86400.
        assert_eq!(seconds([1970.0, 1.0, 1.0, 0.0, 0.0, 0.0]), 0.0);
        assert_eq!(seconds([2000.0, 2.0, 29.0, 12.0, 30.0, 15.5]), 951_827_415.5);
        assert_eq!(vector(951_827_415.5), [2000.0, 2.0, 29.0, 12.0, 30.0, 15.5]);
        assert_eq!(vector(-1.0), [1969.0, 12.0, 31.0, 23.0, 59.0, 59.0]);
    }

    #[test]
    fn every_day_of_500_years_comes_back() {
        let mut last = (1969, 12, 31);
        for day in 0..500 * 365 {
            let date = civil(day);
            assert!(date > last, "{date:?} follows {last:?}");
            assert_eq!(days(date.0, date.1) + date.2 - 1, day);
            last = date;
        }
    }
}
