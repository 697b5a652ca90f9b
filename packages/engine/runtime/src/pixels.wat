;; Opaque RGBA pixels out of planar yuv420p, by the coefficients of any matrix and range:
;;   R = y (Y − black) + rv (V − 128)
;;   G = y (Y − black) + gu (U − 128) + gv (V − 128)
;;   B = y (Y − black) + bu (U − 128)
;; with coefficients in units of 1/8192, rounded half up. Four pixels share a chroma, as it was made of four.
(module
  (memory (export "memory") 1)
  (global $black (mut v128) (v128.const i64x2 0 0))
  (global $r (mut v128) (v128.const i64x2 0 0))
  (global $g (mut v128) (v128.const i64x2 0 0))
  (global $gv (mut v128) (v128.const i64x2 0 0))
  (global $b (mut v128) (v128.const i64x2 0 0))

  ;; Two coefficients in turn, as the sums of products take them.
  (func $pair (param $even i32) (param $odd i32) (result v128)
    (i32x4.splat (i32.or
      (i32.and (local.get $even) (i32.const 65535))
      (i32.shl (local.get $odd) (i32.const 16)))))

  (func (export "set") (param $black i32) (param $y i32) (param $rv i32) (param $gu i32) (param $gv i32) (param $bu i32)
    (global.set $black (i16x8.splat (local.get $black)))
    (global.set $r (call $pair (local.get $y) (local.get $rv)))
    (global.set $g (call $pair (local.get $y) (local.get $gu)))
    (global.set $gv (call $pair (local.get $gv) (i32.const 0)))
    (global.set $b (call $pair (local.get $y) (local.get $bu))))

  ;; Eight values of 32 bits to eight of 16.
  (func $round (param $low v128) (param $high v128) (result v128)
    (i16x8.narrow_i32x4_s
      (i32x4.shr_s (i32x4.add (local.get $low) (v128.const i32x4 4096 4096 4096 4096)) (i32.const 13))
      (i32x4.shr_s (i32x4.add (local.get $high) (v128.const i32x4 4096 4096 4096 4096)) (i32.const 13))))

  (func $low (param $a v128) (param $b v128) (result v128)
    (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23 (local.get $a) (local.get $b)))
  (func $high (param $a v128) (param $b v128) (result v128)
    (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31 (local.get $a) (local.get $b)))

  ;; Four chromas, each twice, without their middle.
  (func $chroma (param $from i32) (result v128)
    (local $c v128)
    (local.set $c (v128.load32_zero (local.get $from)))
    (i16x8.sub
      (i16x8.extend_low_i8x16_u
        (i8x16.shuffle 0 0 1 1 2 2 3 3 0 0 0 0 0 0 0 0 (local.get $c) (local.get $c)))
      (v128.const i16x8 128 128 128 128 128 128 128 128)))

  ;; Eight pixels.
  (func $eight (param $luma i32) (param $to i32) (param $u v128) (param $v v128)
    (local $y v128) (local $red v128) (local $green v128) (local $blue v128) (local $none v128)
    (local.set $y (i16x8.sub (v128.load8x8_u (local.get $luma)) (global.get $black)))
    (local.set $red (call $round
      (i32x4.dot_i16x8_s (call $low (local.get $y) (local.get $v)) (global.get $r))
      (i32x4.dot_i16x8_s (call $high (local.get $y) (local.get $v)) (global.get $r))))
    (local.set $green (call $round
      (i32x4.add
        (i32x4.dot_i16x8_s (call $low (local.get $y) (local.get $u)) (global.get $g))
        (i32x4.dot_i16x8_s (call $low (local.get $v) (local.get $none)) (global.get $gv)))
      (i32x4.add
        (i32x4.dot_i16x8_s (call $high (local.get $y) (local.get $u)) (global.get $g))
        (i32x4.dot_i16x8_s (call $high (local.get $v) (local.get $none)) (global.get $gv)))))
    (local.set $blue (call $round
      (i32x4.dot_i16x8_s (call $low (local.get $y) (local.get $u)) (global.get $b))
      (i32x4.dot_i16x8_s (call $high (local.get $y) (local.get $u)) (global.get $b))))
    ;; Reds before blues, greens before what is opaque; then by pixel.
    (local.set $red (i8x16.narrow_i16x8_u (local.get $red) (local.get $blue)))
    (local.set $green (i8x16.narrow_i16x8_u (local.get $green) (v128.const i16x8 255 255 255 255 255 255 255 255)))
    (v128.store (local.get $to)
      (i8x16.shuffle 0 16 8 24 1 17 9 25 2 18 10 26 3 19 11 27 (local.get $red) (local.get $green)))
    (v128.store offset=16 (local.get $to)
      (i8x16.shuffle 4 20 12 28 5 21 13 29 6 22 14 30 7 23 15 31 (local.get $red) (local.get $green))))

  ;; Planes of $width (a multiple of 16) and $height at $from, each row right after the one before, to pixels at $to.
  (func (export "convert") (param $from i32) (param $to i32) (param $width i32) (param $height i32)
    (local $x i32) (local $y i32) (local $u i32) (local $v i32) (local $chroma i32) (local $half i32)
    (local.set $half (i32.shr_u (local.get $width) (i32.const 1)))
    (local.set $u (i32.add (local.get $from) (i32.mul (local.get $width) (local.get $height))))
    (local.set $v (i32.add (local.get $u)
      (i32.mul (local.get $half) (i32.shr_u (i32.add (local.get $height) (i32.const 1)) (i32.const 1)))))
    (loop $rows
      (local.set $chroma (i32.mul (i32.shr_u (local.get $y) (i32.const 1)) (local.get $half)))
      (local.set $x (i32.const 0))
      (loop $columns
        (call $eight (local.get $from) (local.get $to)
          (call $chroma (i32.add (local.get $u) (local.get $chroma)))
          (call $chroma (i32.add (local.get $v) (local.get $chroma))))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (local.set $to (i32.add (local.get $to) (i32.const 32)))
        (local.set $chroma (i32.add (local.get $chroma) (i32.const 4)))
        (local.set $x (i32.add (local.get $x) (i32.const 8)))
        (br_if $columns (i32.lt_u (local.get $x) (local.get $width))))
      (local.set $y (i32.add (local.get $y) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $y) (local.get $height)))))
)
