/** Sample rate of all mixed sound, Hz. */
export const SAMPLE_RATE = 48_000

/** Channels of all mixed sound. */
export const CHANNELS = 2

/** Sound with random access; silent before its start and after its end. */
export interface SoundReader {
  /** Stereo samples `from … from + count - 1`, interleaved; `from` may be negative. */
  read(from: number, count: number): Promise<Float32Array>
}

/** Loops the first `period` samples of a sound; `period` may be fractional, each pass starts on a whole sample. */
export const repeatSound = (sound: SoundReader, period: number): SoundReader => ({
  async read(from, count) {
    const samples = new Float32Array(count * CHANNELS)
    for (let sample = Math.max(from, 0); sample < from + count; ) {
      // The last pass whose rounded start is not after `sample`.
      let pass = Math.floor(sample / period)
      while (Math.round((pass + 1) * period) <= sample) pass++
      while (Math.round(pass * period) > sample) pass--
      const start = Math.round(pass * period)
      const end = Math.min(Math.round((pass + 1) * period), from + count)
      samples.set(await sound.read(sample - start, end - sample), (sample - from) * CHANNELS)
      sample = end
    }
    return samples
  },
})
