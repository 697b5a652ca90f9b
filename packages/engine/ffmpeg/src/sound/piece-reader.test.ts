import { expect, test } from 'vitest'
import { readPieces } from './piece-reader.ts'

/** Stereo samples from `first` on, in pieces of some lengths: both sides have the number of the sample. */
async function* pieces(...lengths: readonly number[]) {
  let sample = 0
  for (const length of lengths) {
    yield Float32Array.from({ length: length * 2 }, (_, n) => sample + (n >> 1))
    sample += length
  }
}

const read = async (sound: ReturnType<typeof readPieces>, from: number, count: number) =>
  [...(await sound.read(from, count))].filter((_, n) => n % 2 === 0)

test('ranges are read over the borders of pieces, and are silent outside of the sound', async () => {
  const sound = readPieces(pieces(3, 0, 4, 2))
  expect(await read(sound, -2, 4)).toEqual([0, 0, 0, 1])
  expect(await read(sound, 2, 4)).toEqual([2, 3, 4, 5])
  expect(await read(sound, 7, 4)).toEqual([7, 8, 0, 0])
  expect(await read(sound, 20, 2)).toEqual([0, 0])
})

test('a range may begin as far before the last one as was agreed', async () => {
  const sound = readPieces(pieces(2, 2, 2, 2), 3)
  expect(await read(sound, 5, 2)).toEqual([5, 6])
  expect(await read(sound, 2, 3)).toEqual([2, 3, 4])
})

test('pieces are asked for when they are needed, and not before', async () => {
  let pieceCount = 0
  const counted = (async function* () {
    for await (const piece of pieces(4, 4, 4)) {
      pieceCount += 1
      yield piece
    }
  })()
  const sound = readPieces(counted)
  await sound.read(0, 4)
  expect(pieceCount).toBe(1)
  await sound.read(4, 5)
  expect(pieceCount).toBe(3)
})
