//! Errors say of which kind they are, show themselves as their message, and say of a missing device only that.

use megha::rt::ErrorKind;
use megha::rt::ndarray::{Array1, array};

megha::matlab! {
    function y = plus(x, z)
    arguments
        x (n,1) double
        z (m,1) double
    end
    y = x + z;
    end

    function y = next(x, k)
    arguments
        x (n,1) double
        k (1,1) double
    end
    y = x(k);
    end

    function y = shifted(x, p)
    arguments
        x (n,1) double
        p (m,1) double
    end
    y = 2 * x(p);
    end

    function y = root(x)
    arguments
        x (1,1) double
    end
    y = sqrt(x);
    end

    function y = some(x)
    arguments
        x (1,1) double
    end
    if x > 0
        y = x;
    end
    end

    function y = positive(x)
    arguments
        x (1,1) double
    end
    assert(x > 0);
    if x > 9
        error("shop:large", "%g is large", x);
    end
    y = x;
    end
}

#[test]
fn kinds_can_be_matched_on() {
    let x = array![1.0, 2.0, 3.0];
    let kind = |error: megha::Error| {
        assert_eq!(format!("{error:?}"), format!("{error}"));
        error.kind().clone()
    };
    let sizes = kind(plus(&x, array![1.0, 2.0]).unwrap_err());
    let ErrorKind::SizeMismatch { left, right, .. } = &sizes else { panic!("{sizes}") };
    assert_eq!((left.as_slice(), right.as_slice()), (&[3][..], &[2][..]));
    assert!(sizes.to_string().contains("the sizes 3 and 2 must be equal"), "{sizes}");

    for outside in [next(&x, 4.0).map(drop), next(&x, 0.0).map(drop), shifted(&x, array![1.0, 4.0]).map(drop)] {
        let kind = kind(outside.unwrap_err());
        assert!(matches!(kind, ErrorKind::OutOfBounds { .. }), "{kind:?}");
    }
    for fractional in [next(&x, 1.5).map(drop), shifted(&x, array![1.0, 1.5]).map(drop)] {
        let kind = kind(fractional.unwrap_err());
        assert!(matches!(kind, ErrorKind::NotAnInteger { .. }), "{kind:?}");
    }
    let kind_of = |error: megha::Result<f64>| kind(error.unwrap_err());
    assert!(matches!(kind_of(root(-1.0)), ErrorKind::Complex { .. }));
    assert!(matches!(kind_of(some(-1.0)), ErrorKind::Undefined { .. }));
    assert!(matches!(kind_of(positive(-1.0)), ErrorKind::User { identifier: None, .. }));
    let large = kind_of(positive(10.0));
    let ErrorKind::User { message, identifier: Some(identifier) } = &large else { panic!("{large:?}") };
    assert_eq!((message.as_str(), identifier.as_str()), ("10 is large", "shop:large"));
}

#[test]
fn a_missing_device_is_all_that_is_said() {
    const CHILD: &str = "MEGHA_TEST_WITHOUT_DEVICE";
    if std::env::var_os(CHILD).is_none() {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "a_missing_device_is_all_that_is_said"]);
        child.env(CHILD, "1").env("MEGHA_DEVICE", "gpu").env("CUDA_VISIBLE_DEVICES", "");
        let output = child.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        return;
    }
    let x = Array1::<f64>::ones(5000);
    let error = plus(&x, &x).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoDevice { .. }), "{error}");
    assert_eq!(Some(error.to_string()), megha::device::unavailable());
}
