import type { Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'

const REMEDY =
  'compute what it needs for the time of the frame, from decodeAudioData() or an OfflineAudioContext, which vid waits for'

const SILENT = `An AnalyserNode of an AudioContext reports silence, because a context plays by the real clock and not by that of the video: what is drawn from it stands still; ${REMEDY}.`

const lateEvents = (type: string) =>
  `An AudioContext dispatches the event "${type}" by the real clock, so what follows it differs from render to render; ${REMEDY}.`

/** Events of audio nodes, which a context dispatches as it plays. */
const EVENTS = ['ended', 'audioprocess']

/** What an analyser's methods fill an array with when nothing is heard. */
const SILENCE = {
  getByteFrequencyData: 0,
  getByteTimeDomainData: 128,
  getFloatFrequencyData: -Infinity,
  getFloatTimeDomainData: 0,
} as const

/** Makes audio nodes of live contexts the same in every render where that is possible, and reports them. */
export const installLiveSound = (realm: Realm, errors: Pick<PageErrors, 'addOnce'>): void => {
  const { AnalyserNode, AudioContext, AudioNode } = realm
  const isLive = (node: AudioNode) => node.context instanceof AudioContext
  for (const [method, value] of Object.entries(SILENCE) as [keyof typeof SILENCE, number][]) {
    const proto = AnalyserNode.prototype as unknown as Record<string, (this: AnalyserNode, data: Float32Array) => void>
    const native = proto[method]
    if (!native) continue
    replaceMethod(proto, method, function (this: AnalyserNode, data) {
      if (!isLive(this)) return native.call(this, data)
      errors.addOnce(SILENT)
      const length = method.includes('Frequency') ? this.frequencyBinCount : this.fftSize
      data.fill(value, 0, Math.min(length, data.length))
    })
  }
  const noteEvents = (node: AudioNode, type: string) => {
    if (EVENTS.includes(type) && isLive(node)) errors.addOnce(lateEvents(type))
  }
  const { addEventListener } = realm.EventTarget.prototype
  Object.defineProperty(AudioNode.prototype, 'addEventListener', {
    value(this: AudioNode, type: string, ...rest: [EventListener]) {
      noteEvents(this, type)
      addEventListener.call(this, type, ...rest)
    },
    writable: true,
    configurable: true,
  })
  for (const [name, type] of [
    ['AudioScheduledSourceNode', 'ended'],
    ['ScriptProcessorNode', 'audioprocess'],
  ] as const) {
    const proto = (Reflect.get(realm, name) as { prototype: AudioNode } | undefined)?.prototype
    const set = proto && Object.getOwnPropertyDescriptor(proto, `on${type}`)?.set
    if (!proto || !set) continue
    replaceAccessor(proto as unknown as Record<string, unknown>, `on${type}`, {
      set(this: AudioNode, listener: unknown) {
        if (listener) noteEvents(this, type)
        set.call(this, listener)
      },
    } as never)
  }
}
