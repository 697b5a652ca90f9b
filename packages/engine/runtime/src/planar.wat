;; Planar yuv420p (bt709, limited range) out of BGRA pixels.
;;   Y = 16 + 219/255 · (0.2126 R + 0.7152 G + 0.0722 B), each pixel
;;   U, V = 128 + 224/255 · (B − Y', R − Y') / (1.8556, 1.5748), of the mean of each 2 × 2 pixels
;; in integers of 15 bits, rounded half up. The coefficients of each row add up exactly.
;; And straight RGBA or BGRA out of premultiplied BGRA: c · 255 / a in single floats, each step rounded, and the result
;; to the nearest even number, as the browser does where it gives out pixels.
(module
  (memory (export "memory") 1)

  ;; Adds the pairs of two vectors: one sum for each of four pixels.
  (func $pairs (param $a v128) (param $b v128) (result v128)
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $a) (local.get $b))
      (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $a) (local.get $b))))

  ;; Four lumas of four pixels.
  (func $luma (param $pixels v128) (result v128)
    (local $c v128)
    (local.set $c (v128.const i16x8 2032 20127 5983 0 2032 20127 5983 0))
    (i32x4.shr_u
      (i32x4.add
        (call $pairs
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_u (local.get $pixels)) (local.get $c))
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_u (local.get $pixels)) (local.get $c)))
        (v128.const i32x4 540672 540672 540672 540672)) ;; 16.5 · 2^15
      (i32.const 15)))

  ;; Four chromas of the sums of eight columns, two pixels in each of the four vectors.
  (func $chroma (param $a v128) (param $b v128) (param $c v128) (param $d v128) (param $k v128) (result v128)
    (i32x4.shr_s
      (i32x4.add
        (call $pairs
          (call $pairs
            (i32x4.dot_i16x8_s (local.get $a) (local.get $k))
            (i32x4.dot_i16x8_s (local.get $b) (local.get $k)))
          (call $pairs
            (i32x4.dot_i16x8_s (local.get $c) (local.get $k))
            (i32x4.dot_i16x8_s (local.get $d) (local.get $k))))
        (v128.const i32x4 16842752 16842752 16842752 16842752)) ;; 128.5 · 2^17
      (i32.const 17)))

  ;; Sixteen lumas of sixteen pixels.
  (func $luma16 (param $from i32) (param $to i32)
    (v128.store (local.get $to)
      (i8x16.narrow_i16x8_u
        (i16x8.narrow_i32x4_s
          (call $luma (v128.load (local.get $from)))
          (call $luma (v128.load offset=16 (local.get $from))))
        (i16x8.narrow_i32x4_s
          (call $luma (v128.load offset=32 (local.get $from)))
          (call $luma (v128.load offset=48 (local.get $from)))))))

  ;; The sum of two rows, low or high two of four pixels.
  (func $low (param $one i32) (param $other i32) (result v128)
    (i16x8.add
      (i16x8.extend_low_i8x16_u (v128.load (local.get $one)))
      (i16x8.extend_low_i8x16_u (v128.load (local.get $other)))))
  (func $high (param $one i32) (param $other i32) (result v128)
    (i16x8.add
      (i16x8.extend_high_i8x16_u (v128.load (local.get $one)))
      (i16x8.extend_high_i8x16_u (v128.load (local.get $other)))))

  ;; Eight chromas of sixteen columns, stored to u and v.
  (func $chroma8 (param $one i32) (param $other i32) (param $u i32) (param $v i32)
    (local $ku v128) (local $kv v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $ku (v128.const i16x8 14392 -11094 -3298 0 14392 -11094 -3298 0))
    (local.set $kv (v128.const i16x8 -1320 -13072 14392 0 -1320 -13072 14392 0))
    (local.set $a (call $low (local.get $one) (local.get $other)))
    (local.set $b (call $high (local.get $one) (local.get $other)))
    (local.set $c (call $low (i32.add (local.get $one) (i32.const 16)) (i32.add (local.get $other) (i32.const 16))))
    (local.set $d (call $high (i32.add (local.get $one) (i32.const 16)) (i32.add (local.get $other) (i32.const 16))))
    (local.set $e (call $low (i32.add (local.get $one) (i32.const 32)) (i32.add (local.get $other) (i32.const 32))))
    (local.set $f (call $high (i32.add (local.get $one) (i32.const 32)) (i32.add (local.get $other) (i32.const 32))))
    (local.set $g (call $low (i32.add (local.get $one) (i32.const 48)) (i32.add (local.get $other) (i32.const 48))))
    (local.set $h (call $high (i32.add (local.get $one) (i32.const 48)) (i32.add (local.get $other) (i32.const 48))))
    (local.set $ku (i8x16.narrow_i16x8_u
      (i16x8.narrow_i32x4_s
        (call $chroma (local.get $a) (local.get $b) (local.get $c) (local.get $d) (local.get $ku))
        (call $chroma (local.get $e) (local.get $f) (local.get $g) (local.get $h) (local.get $ku)))
      (v128.const i64x2 0 0)))
    (local.set $kv (i8x16.narrow_i16x8_u
      (i16x8.narrow_i32x4_s
        (call $chroma (local.get $a) (local.get $b) (local.get $c) (local.get $d) (local.get $kv))
        (call $chroma (local.get $e) (local.get $f) (local.get $g) (local.get $h) (local.get $kv)))
      (v128.const i64x2 0 0)))
    (v128.store64_lane 0 (local.get $u) (local.get $ku))
    (v128.store64_lane 0 (local.get $v) (local.get $kv)))

  ;; $rows (even) of a picture at $from (width even and at least 16) to the rows of its planes. Sixteen columns at a
  ;; time; the last sixteen overlap those before them where the width is no multiple.
  (func (export "convert")
    (param $from i32) (param $luma i32) (param $u i32) (param $v i32) (param $width i32) (param $rows i32)
    (local $x i32) (local $one i32) (local $other i32) (local $to i32) (local $stride i32)
    (local.set $stride (i32.shl (local.get $width) (i32.const 2)))
    (loop $pairs
      (local.set $x (i32.const 0))
      (loop $columns
        (local.set $one (i32.add (local.get $from) (i32.shl (local.get $x) (i32.const 2))))
        (local.set $other (i32.add (local.get $one) (local.get $stride)))
        (local.set $to (i32.add (local.get $luma) (local.get $x)))
        (call $luma16 (local.get $one) (local.get $to))
        (call $luma16 (local.get $other) (i32.add (local.get $to) (local.get $width)))
        (call $chroma8 (local.get $one) (local.get $other)
          (i32.add (local.get $u) (i32.shr_u (local.get $x) (i32.const 1)))
          (i32.add (local.get $v) (i32.shr_u (local.get $x) (i32.const 1))))
        (local.set $x (i32.add (local.get $x) (i32.const 16)))
        (if (i32.and
              (i32.gt_u (local.get $x) (i32.sub (local.get $width) (i32.const 16)))
              (i32.lt_u (local.get $x) (local.get $width)))
          (then (local.set $x (i32.sub (local.get $width) (i32.const 16)))))
        (br_if $columns (i32.lt_u (local.get $x) (local.get $width))))
      (local.set $from (i32.add (local.get $from) (i32.shl (local.get $stride) (i32.const 1))))
      (local.set $luma (i32.add (local.get $luma) (i32.shl (local.get $width) (i32.const 1))))
      (local.set $u (i32.add (local.get $u) (i32.shr_u (local.get $width) (i32.const 1))))
      (local.set $v (i32.add (local.get $v) (i32.shr_u (local.get $width) (i32.const 1))))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 2)))
      (br_if $pairs (local.get $rows))))

  ;; Whether $bytes (a multiple of 4) at $one and $other differ.
  (func (export "differ") (param $one i32) (param $other i32) (param $bytes i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $one) (i32.and (local.get $bytes) (i32.const -64))))
    (block $words
      (br_if $words (i32.ge_u (local.get $one) (local.get $end)))
      (loop $next
        (if (v128.any_true
              (v128.or
                (v128.or
                  (v128.xor (v128.load (local.get $one)) (v128.load (local.get $other)))
                  (v128.xor (v128.load offset=16 (local.get $one)) (v128.load offset=16 (local.get $other))))
                (v128.or
                  (v128.xor (v128.load offset=32 (local.get $one)) (v128.load offset=32 (local.get $other)))
                  (v128.xor (v128.load offset=48 (local.get $one)) (v128.load offset=48 (local.get $other))))))
          (then (return (i32.const 1))))
        (local.set $one (i32.add (local.get $one) (i32.const 64)))
        (local.set $other (i32.add (local.get $other) (i32.const 64)))
        (br_if $next (i32.lt_u (local.get $one) (local.get $end)))))
    (local.set $end (i32.add (local.get $one) (i32.and (local.get $bytes) (i32.const 63))))
    (loop $rest
      (if (i32.ge_u (local.get $one) (local.get $end)) (then (return (i32.const 0))))
      (if (i32.ne (i32.load (local.get $one)) (i32.load (local.get $other))) (then (return (i32.const 1))))
      (local.set $one (i32.add (local.get $one) (i32.const 4)))
      (local.set $other (i32.add (local.get $other) (i32.const 4)))
      (br $rest))
    (unreachable))

  ;; Four values of one channel, $shift bits up in four pixels, divided by their alpha.
  (func $straight (param $pixels v128) (param $shift i32) (param $scale v128) (result v128)
    (i32x4.shl
      (i32x4.trunc_sat_f32x4_s
        (f32x4.nearest
          (f32x4.mul
            (f32x4.min
              (f32x4.mul
                (f32x4.mul
                  (f32x4.convert_i32x4_u
                    (v128.and
                      (i32x4.shr_u (local.get $pixels) (local.get $shift))
                      (v128.const i32x4 255 255 255 255)))
                  (f32x4.splat (f32.const 0.003921568859368563)))
                (local.get $scale))
              (v128.const f32x4 1 1 1 1))
            (v128.const f32x4 255 255 255 255))))
      (local.get $shift)))

  ;; $bytes (a multiple of 16) of premultiplied BGRA at $from to straight pixels at $to, red first if $rgba.
  (func (export "straighten") (param $from i32) (param $to i32) (param $bytes i32) (param $rgba i32)
    (local $end i32) (local $pixels v128) (local $alpha v128) (local $scale v128)
    (local.set $end (i32.add (local.get $from) (local.get $bytes)))
    (loop $next
      (local.set $pixels (v128.load (local.get $from)))
      (local.set $alpha (v128.and (local.get $pixels)
        (v128.const i32x4 0xff000000 0xff000000 0xff000000 0xff000000)))
      (if (i32.eqz (v128.any_true (local.get $alpha)))
        (then (local.set $pixels (v128.const i64x2 0 0)))
        (else
          (if (i32.eqz (i32x4.all_true (i32x4.eq (local.get $alpha)
                (v128.const i32x4 0xff000000 0xff000000 0xff000000 0xff000000))))
            (then
              ;; Where alpha is 0, 0 · ∞ is no number and becomes 0.
              (local.set $scale
                (f32x4.div (v128.const f32x4 1 1 1 1)
                  (f32x4.mul
                    (f32x4.convert_i32x4_u (i32x4.shr_u (local.get $alpha) (i32.const 24)))
                    (f32x4.splat (f32.const 0.003921568859368563)))))
              (local.set $pixels (v128.or
                (v128.or (local.get $alpha)
                  (call $straight (local.get $pixels) (i32.const 0) (local.get $scale)))
                (v128.or
                  (call $straight (local.get $pixels) (i32.const 8) (local.get $scale))
                  (call $straight (local.get $pixels) (i32.const 16) (local.get $scale)))))))))
      (if (local.get $rgba)
        (then (local.set $pixels
          (i8x16.shuffle 2 1 0 3 6 5 4 7 10 9 8 11 14 13 12 15 (local.get $pixels) (local.get $pixels)))))
      (v128.store (local.get $to) (local.get $pixels))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $from) (local.get $end)))))

  ;; The alpha of $pixels (at least 16) at $from to bytes at $to; the last sixteen overlap those before them.
  (func (export "alphas") (param $from i32) (param $to i32) (param $pixels i32)
    (local $at i32) (local $own i32)
    (loop $next
      (local.set $own (i32.add (local.get $from) (i32.shl (local.get $at) (i32.const 2))))
      (v128.store (i32.add (local.get $to) (local.get $at))
        (i8x16.narrow_i16x8_u
          (i16x8.narrow_i32x4_u
            (i32x4.shr_u (v128.load (local.get $own)) (i32.const 24))
            (i32x4.shr_u (v128.load offset=16 (local.get $own)) (i32.const 24)))
          (i16x8.narrow_i32x4_u
            (i32x4.shr_u (v128.load offset=32 (local.get $own)) (i32.const 24))
            (i32x4.shr_u (v128.load offset=48 (local.get $own)) (i32.const 24)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (if (i32.and
            (i32.gt_u (local.get $at) (i32.sub (local.get $pixels) (i32.const 16)))
            (i32.lt_u (local.get $at) (local.get $pixels)))
        (then (local.set $at (i32.sub (local.get $pixels) (i32.const 16)))))
      (br_if $next (i32.lt_u (local.get $at) (local.get $pixels)))))
)
