import type { Realm } from '../natives.ts'
import { replaceMethod } from '../replace.ts'

/** A seeded source of 32-bit integers (sfc32). */
export interface Random {
  next(): number
  seed(value: number): void
}

/** Makes a source; equal seeds give equal sequences. */
export const createRandom = (): Random => {
  let [a, b, c, d] = [0, 0, 0, 0]
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

const OWN_KEYS =
  'crypto.subtle.generateKey makes another key each time, which no seed decides: frames that show it, or what it signs, differ from worker to worker; import a key of your own'

/** Makes chance in a window come from the source; tells of the chance that it cannot. */
export const installRandom = (realm: Realm, random: Random, tell?: (message: string) => void): void => {
  replaceMethod(
    realm.Math,
    'random',
    () => ((random.next() >>> 5) * 0x4000000 + (random.next() >>> 6)) / 2 ** 53,
  )
  const fill = (view: ArrayBufferView) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    for (let at = 0; at < bytes.length; at++) bytes[at] = random.next() & 0xff
  }
  const proto = realm.Crypto.prototype
  replaceMethod(proto, 'getRandomValues', ((view: ArrayBufferView) => {
    fill(view)
    return view
  }) as typeof proto.getRandomValues)
  const keys = realm.SubtleCrypto?.prototype
  if (keys && tell) {
    const { generateKey } = keys
    replaceMethod(keys, 'generateKey', function (this: SubtleCrypto, ...args: unknown[]) {
      tell(OWN_KEYS)
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
