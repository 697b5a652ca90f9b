/** Samples of one spectrum: 21 ms at 48 kHz. */
export const SPECTRUM_SIZE = 1024

/** Computes powers of frequencies, `SPECTRUM_SIZE / 2` of them, of as many samples as `SPECTRUM_SIZE`. */
export const createSpectrum = () => {
  const size = SPECTRUM_SIZE
  const window = Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / size))
  const cosines = Float64Array.from({ length: size / 2 }, (_, n) => Math.cos((2 * Math.PI * n) / size))
  const sines = Float64Array.from({ length: size / 2 }, (_, n) => -Math.sin((2 * Math.PI * n) / size))
  const bits = Math.log2(size)
  const reversed = Uint16Array.from({ length: size }, (_, n) => {
    let position = 0
    for (let bit = 0; bit < bits; bit++) if (n & (1 << bit)) position |= 1 << (bits - 1 - bit)
    return position
  })
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  const powers = new Float64Array(size / 2)
  /** One butterfly of the fast Fourier transform, of two values whose angle is a number of steps of the circle. */
  const combine = (one: number, other: number, angle: number) => {
    const cosine = cosines[angle] ?? 0
    const sine = sines[angle] ?? 0
    const x = (real[other] ?? 0) * cosine - (imaginary[other] ?? 0) * sine
    const y = (real[other] ?? 0) * sine + (imaginary[other] ?? 0) * cosine
    real[other] = (real[one] ?? 0) - x
    imaginary[other] = (imaginary[one] ?? 0) - y
    real[one] = (real[one] ?? 0) + x
    imaginary[one] = (imaginary[one] ?? 0) + y
  }
  /** The samples are those of a ring from `start` on; the result is overwritten by the next call. */
  return (ring: Float64Array, start: number): Float64Array => {
    for (let n = 0; n < size; n++) {
      real[reversed[n] ?? 0] = (ring[(start + n) % ring.length] ?? 0) * (window[n] ?? 0)
      imaginary[n] = 0
    }
    for (let half = 1; half < size; half *= 2)
      for (let block = 0; block < size; block += 2 * half)
        for (let n = 0; n < half; n++) combine(block + n, block + n + half, (n * size) / (2 * half))
    for (let n = 0; n < size / 2; n++) powers[n] = (real[n] ?? 0) ** 2 + (imaginary[n] ?? 0) ** 2
    return powers
  }
}
