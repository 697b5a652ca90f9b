import { signal } from '@preact/signals'
import type { WaveformReply } from '../../api.ts'
import { API } from '../../api-paths.ts'
import { onsetsOf } from '../model/onsets.ts'
import { read, withQuery } from './server.ts'

/** Waveforms by source, as addresses of pictures; empty for one that cannot be measured. */
export const waveforms = signal<Readonly<Record<string, string>>>({})

/** Seconds at which sounds begin, by source. */
export const onsets = signal<Readonly<Record<string, readonly number[]>>>({})

const requests = new Set<string>()

const COUNT = 2000

/** A waveform as a picture that can be stretched. */
const pictureOf = ({ peaks }: WaveformReply): string => {
  const up = peaks.map((peak, index) => `${index},${(50 - peak * 48).toFixed(1)}`)
  const down = peaks.map((peak, index) => `${index},${(50 + peak * 48).toFixed(1)}`).reverse()
  const box = `viewBox="0 0 ${peaks.length} 100" preserveAspectRatio="none"`
  const path = `<polygon fill="#7fd6b4" points="${up.join(' ')} ${down.join(' ')}"/>`
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" ${box}>${path}</svg>`)}`
}

/** Measures the sound of a source, once between two changes of the files. */
export const askWaveform = async (src: string): Promise<void> => {
  if (requests.has(src)) return
  requests.add(src)
  // A source without sound, or one that cannot be read, is a problem that is listed elsewhere.
  const reply = await read<WaveformReply>(withQuery(API.waveform, { src, count: COUNT })).catch(() => null)
  if (reply) onsets.value = { ...onsets.value, [src]: onsetsOf(reply.peaks, reply.duration) }
  waveforms.value = { ...waveforms.value, [src]: reply ? pictureOf(reply) : '' }
}

/** Forgets what was measured: a source may have changed. */
export const forgetWaveforms = (): void => {
  requests.clear()
  waveforms.value = {}
  onsets.value = {}
}

/** Address of the pictures of a video beside each other, evenly spread over its length. */
export const filmstripOf = (src: string, height: number, count: number, revision: number): string =>
  withQuery(API.filmstrip, { src, height, count, revision })
