import { expect, test } from 'vitest'
import { codecNameOf } from './codec.ts'

const name = (tag: 'avc1' | 'hvc1' | 'av01', hex: string) => codecNameOf({ tag, bytes: Buffer.from(hex, 'hex') })

test.each([
  ['avc1', '01640028ffe1', 'avc1.640028'],
  ['hvc1', '01016000000090000000000078f000', 'hvc1.1.6.L120.90'],
  ['hvc1', '0122200000009000b00000009cf000', 'hvc1.2.4.H156.90.0.B0'],
  ['hvc1', '0141600000000000000000001ef000', 'hvc1.A1.6.L30'],
  ['av01', '81080c00', 'av01.0.08M.08'],
  ['av01', '814dcc00', 'av01.2.13H.10'],
  ['av01', '814dec00', 'av01.2.13H.12'],
] as const)('the parameters of %s %s are named %s', (tag, hex, expected) => {
  expect(name(tag, hex)).toBe(expected)
})
