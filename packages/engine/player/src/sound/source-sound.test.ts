import { expect, test } from 'vitest'
import { PIECE_SAMPLES, pieceSound } from './source-sound.ts'

/** A sound whose left side counts its samples; `asked` has the number of each piece that was fetched. */
const counting = (samples: number) => {
  const offsets: number[] = []
  const sound = pieceSound(async (from, count) => {
    offsets.push(from / PIECE_SAMPLES)
    const values = new Float32Array(count * 2)
    for (let n = 0; n < count && from + n < samples; n++) values[2 * n] = from + n
    return from < samples ? values.buffer : null
  })
  return { offsets, sound }
}

const left = (samples: Float32Array) => [...samples.filter((_, index) => index % 2 === 0)]

test('a sound in pieces is read across them, silent before its start and after its end', async () => {
  const { sound } = counting(3 * PIECE_SAMPLES)
  expect(left(await sound.read(PIECE_SAMPLES - 2, 4))).toEqual([-2, -1, 0, 1].map((n) => PIECE_SAMPLES + n))
  expect(left(await sound.read(-2, 4))).toEqual([0, 0, 0, 1])
  expect(left(await sound.read(3 * PIECE_SAMPLES - 1, 2))).toEqual([3 * PIECE_SAMPLES - 1, 0])
  expect(left(await sound.read(9 * PIECE_SAMPLES, 1))).toEqual([0])
})

test('the piece after the one that is read is fetched at once, and each only once while it is near', async () => {
  const { sound, offsets } = counting(9 * PIECE_SAMPLES)
  await sound.read(0, 1)
  await sound.read(100, 1)
  expect(offsets).toEqual([0, 1])
  await sound.read(PIECE_SAMPLES, 1)
  expect(offsets).toEqual([0, 1, 2])
})

test('of a long sound, few pieces are kept', async () => {
  const { sound, offsets } = counting(9 * PIECE_SAMPLES)
  for (let piece = 0; piece < 8; piece++) await sound.read(piece * PIECE_SAMPLES, 1)
  offsets.length = 0
  await sound.read(0, 1)
  expect(offsets).toEqual([0, 1])
})

test('a piece that cannot be fetched is silent', async () => {
  const sound = pieceSound(() => Promise.reject(new Error('gone')))
  expect([...(await sound.read(0, 2))]).toEqual([0, 0, 0, 0])
})
