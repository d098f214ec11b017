//! Motion of bodies that attract each other.

use ndarray::{Array1, Array2, ArrayView1, Axis};

/// State of `n` bodies and the constants of their motion.
#[derive(Clone)]
pub struct Bodies {
    /// Coordinates (n,3).
    pub position: Array2<f64>,
    /// Velocities (n,3).
    pub velocity: Array2<f64>,
    /// Masses (n), times the gravitational constant.
    pub mass: Array1<f64>,
    /// Length below which the attraction fades.
    pub softening: f64,
    /// Time step.
    pub dt: f64,
}

/// Moves the bodies by `steps` steps with (n,n) matrices of all pairs.
pub fn operators(bodies: &mut Bodies, steps: usize) {
    let Bodies { position, velocity, mass, softening, dt } = bodies;
    for _ in 0..steps {
        let dx = differences(position.column(0));
        let dy = differences(position.column(1));
        let dz = differences(position.column(2));
        let distance2 = &dx * &dx + &dy * &dy + &dz * &dz + *softening * *softening;
        let pull = &*mass / (distance2.sqrt() * distance2);
        for (axis, difference) in [dx, dy, dz].into_iter().enumerate() {
            velocity.column_mut(axis).scaled_add(*dt, &(difference * &pull).sum_axis(Axis(1)));
        }
        position.scaled_add(*dt, velocity);
    }
}

/// Element (i,j) is `x[j] - x[i]`.
fn differences(x: ArrayView1<f64>) -> Array2<f64> {
    &x.insert_axis(Axis(0)) - &x.insert_axis(Axis(1))
}

/// The same, one pair at a time.
pub fn loops(bodies: &mut Bodies, steps: usize) {
    let Bodies { position, velocity, mass, softening, dt } = bodies;
    for _ in 0..steps {
        for i in 0..mass.len() {
            let mut force = [0.0; 3];
            for j in 0..mass.len() {
                let d = [0, 1, 2].map(|axis| position[[j, axis]] - position[[i, axis]]);
                let distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + *softening * *softening;
                let pull = mass[j] / (distance2 * distance2.sqrt());
                for axis in 0..3 {
                    force[axis] += pull * d[axis];
                }
            }
            for axis in 0..3 {
                velocity[[i, axis]] += *dt * force[axis];
            }
        }
        for (x, v) in position.iter_mut().zip(velocity.iter()) {
            *x += *dt * v;
        }
    }
}
