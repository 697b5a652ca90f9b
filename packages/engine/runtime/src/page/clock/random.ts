import type { Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

/** A seeded source of 32-bit integers (sfc32). */
export interface Random {
  next(): number
  seed(value: number): void
}

/** Creates a source; equal seeds give equal sequences. */
export const createRandom = (): Random => {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const next = () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  const seed = (value: number) => {
    ;[a, b, c, d] = [0x9e3779b9, 0x243f6a88, value | 0, 1]
    for (let round = 0; round < 12; round++) next()
  }
  seed(0)
  return { next, seed }
}

const GENERATED_KEYS =
  'crypto.subtle.generateKey makes a different key each time, and no seed can change that: frames that show the key, or what it signs, differ from render to render; use importKey with a fixed key'

/** Makes the random numbers of a window come from the source; `report` is called for those that cannot. */
export const installRandom = (realm: Realm, random: Random, report?: (message: string) => void): void => {
  replaceMethod(realm.Math, 'random', () => ((random.next() >>> 5) * 0x4000000 + (random.next() >>> 6)) / 2 ** 53)
  const fill = (view: ArrayBufferView) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    for (let index = 0; index < bytes.length; index++) bytes[index] = random.next() & 0xff
  }
  const proto = realm.Crypto.prototype
  replaceMethod(proto, 'getRandomValues', ((view: ArrayBufferView) => {
    fill(view)
    return view
  }) as typeof proto.getRandomValues)
  const keys = realm.SubtleCrypto?.prototype
  if (keys && report) {
    const { generateKey } = keys
    replaceMethod(keys, 'generateKey', function (this: SubtleCrypto, ...args: unknown[]) {
      report(GENERATED_KEYS)
      return Reflect.apply(generateKey, this, args) as Promise<CryptoKey>
    } as SubtleCrypto['generateKey'])
  }
  if (!('randomUUID' in proto)) return
  replaceMethod(proto, 'randomUUID', () => {
    const bytes = new Uint8Array(16)
    fill(bytes)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  })
}

/** Random numbers in every window of a page, with a separate source for each window. */
export const createPageRandom = (report: (message: string) => void) => {
  const sources: Random[] = []
  return {
    install(realm: Realm): void {
      const random = createRandom()
      sources.push(random)
      installRandom(realm, random, report)
    },
    seed(value: number): void {
      for (const random of sources) random.seed(value)
    },
  }
}
