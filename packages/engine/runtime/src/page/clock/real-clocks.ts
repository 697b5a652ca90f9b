import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

/** Interfaces whose answers come by the real clock, by the methods with which scripts ask for them. */
const ASKED_BY: Readonly<Record<string, readonly string[]>> = {
  AnalyserNode: ['getByteFrequencyData', 'getFloatFrequencyData', 'getByteTimeDomainData', 'getFloatTimeDomainData'],
  ImageDecoder: ['decode'],
  VideoDecoder: ['decode'],
  VideoEncoder: ['encode'],
  AudioDecoder: ['decode'],
  AudioEncoder: ['encode'],
  MediaRecorder: ['start'],
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Records what scripts use that the clock of the page does not move. */
export interface RealClocks {
  install(realm: Realm): void
  /** The interfaces that scripts have used, by name. */
  used(): string[]
}

/** Creates the record, for all windows. */
export const createRealClocks = (): RealClocks => {
  const names = new Set<string>()
  return {
    used: () => [...names].sort(),
    install(realm) {
      for (const [name, methods] of Object.entries(ASKED_BY)) {
        const owner = (Reflect.get(realm, name) as { readonly prototype: Record<string, Method> } | undefined)
          ?.prototype
        for (const method of methods) {
          const native = owner?.[method]
          if (!owner || !native) continue
          replaceMethod(owner, method, function (...args) {
            names.add(name)
            return native.apply(this, args)
          })
        }
      }
    },
  }
}
