import { SAMPLE_RATE } from '@vid/ffmpeg/sound-rules'

/** What plays sound, at the sample rate of a render's mix. */
export interface AudioDevice {
  readonly context: AudioContext
  /** What everything that is heard goes through. */
  readonly output: GainNode
  /** Seconds of the context that are heard now. */
  heardNow(): number
  /** Resolves when sound can be heard: at once, or once the user has done something on the page. */
  ready(signal: AbortSignal): Promise<void>
  close(): void
}

/** What a user does on a page that lets it play sound. */
const GESTURES = ['pointerdown', 'keydown', 'touchend'] as const

/** Opens the device of this page; nothing is heard before `ready`. */
export const openAudioDevice = (): AudioDevice => {
  const context = new AudioContext({ sampleRate: SAMPLE_RATE })
  const output = new GainNode(context)
  output.connect(context.destination)
  const lifetime = new AbortController()
  return {
    context,
    output,
    heardNow() {
      const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp?.() ?? {}
      // Between two reports of the device time goes on.
      if (contextTime > 0) return contextTime + (performance.now() - performanceTime) / 1000
      return context.currentTime - (context.outputLatency || context.baseLatency || 0)
    },
    ready: (signal) =>
      new Promise((resolve, reject) => {
        // The caller may have been stopped while it read its sounds.
        if (signal.aborted) return reject(signal.reason)
        if (context.state === 'running') return resolve()
        const wait = new AbortController()
        const options = { signal: AbortSignal.any([wait.signal, lifetime.signal]), capture: true }
        const end = (call: () => void) => {
          wait.abort()
          call()
        }
        const resume = () => {
          context.resume().catch(() => undefined) // closed meanwhile
        }
        context.addEventListener('statechange', () => context.state === 'running' && end(resolve), options)
        for (const gesture of GESTURES) window.addEventListener(gesture, resume, options)
        signal.addEventListener('abort', () => end(() => reject(signal.reason)), options)
        resume()
      }),
    close() {
      lifetime.abort()
      context.close().catch(() => undefined) // it is closed already
    },
  }
}
