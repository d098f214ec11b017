//! The kernels that are measured.

/// Each turn of a thread: 32 multiply-adds in eight independent chains.
pub(super) const FLOPS_OF_A_TURN: u64 = 64;

/// One multiply-add in each chain.
macro_rules! chains {
    ($ty:literal) => {
        concat!(
            "fma.rn.",
            $ty,
            " %a0, %a0, %x, %y;\nfma.rn.",
            $ty,
            " %a1, %a1, %x, %y;\n",
            "fma.rn.",
            $ty,
            " %a2, %a2, %x, %y;\nfma.rn.",
            $ty,
            " %a3, %a3, %x, %y;\n",
            "fma.rn.",
            $ty,
            " %a4, %a4, %x, %y;\nfma.rn.",
            $ty,
            " %a5, %a5, %x, %y;\n",
            "fma.rn.",
            $ty,
            " %a6, %a6, %x, %y;\nfma.rn.",
            $ty,
            " %a7, %a7, %x, %y;\n",
        )
    };
}

/// An entry that multiplies and adds, and stores the sum of its chains so that nothing is left out.
macro_rules! flops {
    ($name:literal, $ty:literal, $half:literal, $bytes:literal) => {
        concat!(
            ".visible .entry ",
            $name,
            "(.param .u64 out, .param .u32 turns)\n{\n",
            ".reg .pred %p;\n.reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n.reg .",
            $ty,
            " %x, %y, %a<8>;\n",
            "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n",
            "mad.lo.u32 %r3, %r0, %r1, %r2;\n",
            "cvt.rn.",
            $ty,
            ".u32 %a0, %r3;\nmov.",
            $ty,
            " %x, ",
            $half,
            ";\nmov.",
            $ty,
            " %y, ",
            $half,
            ";\n",
            "mov.",
            $ty,
            " %a1, %a0;\nmov.",
            $ty,
            " %a2, %a0;\nmov.",
            $ty,
            " %a3, %a0;\nmov.",
            $ty,
            " %a4, %a0;\n",
            "mov.",
            $ty,
            " %a5, %a0;\nmov.",
            $ty,
            " %a6, %a0;\nmov.",
            $ty,
            " %a7, %a0;\n",
            "ld.param.u32 %r4, [turns];\nTURN:\n",
            chains!($ty),
            chains!($ty),
            chains!($ty),
            chains!($ty),
            "sub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p, %r4, 0;\n@%p bra TURN;\n",
            "add.rn.",
            $ty,
            " %a0, %a0, %a1;\nadd.rn.",
            $ty,
            " %a2, %a2, %a3;\nadd.rn.",
            $ty,
            " %a4, %a4, %a5;\n",
            "add.rn.",
            $ty,
            " %a6, %a6, %a7;\nadd.rn.",
            $ty,
            " %a0, %a0, %a2;\nadd.rn.",
            $ty,
            " %a4, %a4, %a6;\n",
            "add.rn.",
            $ty,
            " %a0, %a0, %a4;\n",
            "ld.param.u64 %rd0, [out];\ncvta.to.global.u64 %rd1, %rd0;\nmul.wide.u32 %rd2, %r3, ",
            $bytes,
            ";\n",
            "add.u64 %rd3, %rd1, %rd2;\nst.global.",
            $ty,
            " [%rd3], %a0;\nret;\n}\n",
        )
    };
}

const COPY: &str = ".visible .entry copy(.param .u64 to, .param .u64 from, .param .u64 count)
{
.reg .pred %p;
.reg .b32 %r<5>;
.reg .b64 %rd<10>;
mov.u32 %r0, %ctaid.x;
mov.u32 %r1, %ntid.x;
mov.u32 %r2, %tid.x;
mad.lo.u32 %r3, %r0, %r1, %r2;
mov.u32 %r4, %nctaid.x;
cvt.u64.u32 %rd0, %r3;
mul.wide.u32 %rd1, %r4, %r1;
ld.param.u64 %rd2, [count];
ld.param.u64 %rd3, [to];
ld.param.u64 %rd4, [from];
cvta.to.global.u64 %rd3, %rd3;
cvta.to.global.u64 %rd4, %rd4;
NEXT:
setp.ge.u64 %p, %rd0, %rd2;
@%p bra DONE;
shl.b64 %rd5, %rd0, 3;
add.u64 %rd6, %rd4, %rd5;
add.u64 %rd7, %rd3, %rd5;
ld.global.nc.b64 %rd8, [%rd6];
st.global.b64 [%rd7], %rd8;
add.u64 %rd0, %rd0, %rd1;
bra NEXT;
DONE:
ret;
}
";

/// All of them.
pub(super) const TEXT: &str = concat_text();

/// The parts in one text, made when this crate is compiled since a module's text lives as long as the program.
const fn concat_text() -> &'static str {
    const PARTS: [&str; 4] = [
        ".version 6.4\n.target sm_70\n.address_size 64\n.visible .entry nothing()\n{\nret;\n}\n",
        COPY,
        flops!("fma64", "f64", "0d3FE0000000000000", "8"),
        flops!("fma32", "f32", "0f3F000000", "4"),
    ];
    const LENGTH: usize = PARTS[0].len() + PARTS[1].len() + PARTS[2].len() + PARTS[3].len();
    const BYTES: [u8; LENGTH] = {
        let (mut bytes, mut end, mut part) = ([0; LENGTH], 0, 0);
        while part < PARTS.len() {
            let mut at = 0;
            while at < PARTS[part].len() {
                bytes[end] = PARTS[part].as_bytes()[at];
                (at, end) = (at + 1, end + 1);
            }
            part += 1;
        }
        bytes
    };
    match std::str::from_utf8(&BYTES) {
        Ok(text) => text,
        Err(_) => panic!("the parts are texts"),
    }
}
