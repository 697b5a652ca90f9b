import { CHANNELS, SAMPLE_RATE } from '@vid/ffmpeg/sound-rules'
import type { CompositionView } from '../composition-view.ts'
import type { FrameTimes } from '../frame-times.ts'
import { type AudioDevice, openAudioDevice } from './audio-device.ts'
import type { Sound, SoundStart } from './sound.ts'
import { type HeardTrack, heardTracks } from './sound-tracks.ts'
import { openSourceSound, type SourceSound } from './source-sound.ts'
import { playTrack, type TrackSound } from './track-sound.ts'

/** Samples of one piece that is handed to the device. */
const PIECE = SAMPLE_RATE / 4

/** Seconds of sound that the device has in advance: a hidden page is called once a second. */
const AHEAD_SECONDS = 1.5

/** Seconds until the first sound, so that it is ready when it is due. */
const LEAD_SECONDS = 0.03

/** How long a gain takes to reach another value, in seconds: about a frame. */
const RAMP_SECONDS = 0.03

/** A track that can be heard. */
interface Voice {
  readonly track: HeardTrack
  readonly sound: SourceSound
  readonly gain: GainNode
}

/** Opens the sounds that are heard, once for each source. */
const openVoices = async (
  view: CompositionView,
  tracks: readonly HeardTrack[],
  device: AudioDevice,
): Promise<Voice[]> => {
  const decode = (bytes: ArrayBuffer) => device.context.decodeAudioData(bytes)
  const sources = new Map<string, Promise<SourceSound | undefined>>()
  for (const { src } of tracks) sources.set(src, sources.get(src) ?? openSourceSound(view, src, decode))
  const voices = await Promise.all(
    tracks.map(async (track) => {
      const sound = await sources.get(track.src)
      if (!sound) return []
      const gain = new GainNode(device.context)
      gain.connect(device.output)
      return [{ track, sound, gain }]
    }),
  )
  return voices.flat()
}

/** Fetches the sound that plays first from now on, so that it is ready when it is due. */
const prepareVoices = async (
  voices: readonly Voice[],
  { now, rate, until }: SoundStart,
  signal: AbortSignal,
): Promise<void> => {
  const start = { first: Math.round(now() * SAMPLE_RATE), end: Math.round(until * SAMPLE_RATE), rate, signal }
  await Promise.all(voices.map(({ track, sound }) => playTrack(track, sound, start).next(PIECE)))
}

/** Hands the sound of some voices to the device, in time; ends with the signal. */
const playVoices = (voices: readonly Voice[], device: AudioDevice, start: SoundStart, signal: AbortSignal): void => {
  const { context } = device
  const { now, rate, until, follow } = start
  const begins = Math.ceil((context.currentTime + LEAD_SECONDS) * SAMPLE_RATE)
  const first = Math.round((now() + (begins / SAMPLE_RATE - device.heardNow()) * rate) * SAMPLE_RATE)
  const end = Math.round(until * SAMPLE_RATE)
  const sounds: readonly (readonly [Voice, TrackSound])[] = voices.map((voice) => [
    voice,
    playTrack(voice.track, voice.sound, { first, end, rate, signal }),
  ])
  follow(device.heardNow)
  const nodes = new Set<AudioBufferSourceNode>()
  signal.addEventListener('abort', () => {
    for (const node of nodes) node.stop()
  })

  const playPiece = ([{ gain }]: readonly [Voice, TrackSound], samples: Float32Array, time: number) => {
    if (!samples.some((value) => value !== 0)) return
    const buffer = new AudioBuffer({
      length: samples.length / CHANNELS,
      numberOfChannels: CHANNELS,
      sampleRate: SAMPLE_RATE,
    })
    for (let channel = 0; channel < CHANNELS; channel++)
      buffer.getChannelData(channel).forEach((_, n, data) => {
        data[n] = samples[n * CHANNELS + channel] ?? 0
      })
    const node = new AudioBufferSourceNode(context, { buffer })
    node.connect(gain)
    // What came too late is left out: time goes on.
    const delay = Math.max(0, context.currentTime - time / SAMPLE_RATE)
    if (delay >= buffer.duration) return
    node.start(delay > 0 ? 0 : time / SAMPLE_RATE, delay)
    nodes.add(node)
    node.onended = () => nodes.delete(node)
  }

  let next = begins
  const last = begins + Math.ceil((end - first) / rate)
  const fill = async () => {
    while (next < last && next / SAMPLE_RATE < context.currentTime + AHEAD_SECONDS) {
      const count = Math.min(PIECE, last - next)
      const pieces = await Promise.all(sounds.map(([, sound]) => sound.next(count)))
      if (signal.aborted) return
      for (const [index, sound] of sounds.entries()) playPiece(sound, pieces[index] ?? new Float32Array(0), next)
      next += count
    }
    if (next < last && !signal.aborted) setTimeout(refill, 100)
  }
  const refill = () => {
    fill().catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown
    })
  }
  refill()
}

/** The sound of a composition; nothing is read or opened before it plays. */
export const openSound = (view: CompositionView, times: FrameTimes): Sound => {
  const tracks = heardTracks(view.composition, times)
  let device: AudioDevice | undefined
  let voices: Promise<Voice[]> | undefined
  let gains: readonly number[] = []
  let volume = 1
  let playing = new AbortController()

  /** A gain that follows a curve is in the samples of its track. */
  const gainOf = ({ index, gain }: HeardTrack) => (typeof gain === 'number' ? (gains[index] ?? gain) : 1)
  const begin = async (start: SoundStart, signal: AbortSignal) => {
    device ??= openAudioDevice()
    const currentDevice = device
    currentDevice.output.gain.value = volume
    voices ??= openVoices(view, tracks, currentDevice)
    const ready = await voices
    await currentDevice.ready(signal)
    await prepareVoices(ready, start, signal)
    if (signal.aborted) return
    for (const { track, gain } of ready) gain.gain.value = gainOf(track)
    playVoices(ready, currentDevice, start, signal)
  }
  const stop = () => playing.abort()

  return {
    start(from) {
      stop()
      playing = new AbortController()
      const { signal } = playing
      if (tracks.length > 0)
        begin(from, signal).catch((thrown: unknown) => {
          if (!signal.aborted) throw thrown
        })
    },
    stop,
    setGains(values) {
      gains = values
      if (!tracks.some(({ moves }) => moves)) return
      const { context } = device ?? {}
      void voices?.then((ready) => {
        for (const { track, gain } of context ? ready : [])
          gain.gain.setTargetAtTime(gainOf(track), context?.currentTime ?? 0, RAMP_SECONDS / 3)
      })
    },
    setVolume(value) {
      volume = value
      if (device) device.output.gain.value = value
    },
    close() {
      stop()
      device?.close()
    },
  }
}
