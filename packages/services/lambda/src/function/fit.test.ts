import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { RenderPlan } from '@vid/protocol'
import { expect, test } from 'vitest'
import { checkFit, checkSpace } from './fit.ts'

const room = { tempDir: tmpdir(), memoryBytes: 10 * 2 ** 30 }
const planOf = (format: string, frames: number) => ({ format, frames, width: 1920, height: 1080 }) as RenderPlan
const sha256 = 'a'.repeat(64)

test('a gif of an hour is refused by its format, and a short one is not', async () => {
  await checkFit(planOf('gif', 300), 1, room)
  await expect(checkFit(planOf('gif', 108_000), 1000, room)).rejects.toMatchObject({
    code: 'VID_LAMBDA_CONFIG',
    final: true,
    facts: { field: 'config.format' },
  })
})

test('segments that would fill the space of the function are refused before they are fetched', async () => {
  const { bavail, bsize } = await statfs(tmpdir())
  const half = Math.floor((bavail * bsize) / 2)
  const segment = { index: 0, frames: 1, sha256 }
  await checkSpace([{ ...segment, bytes: 1000 }], tmpdir())
  await expect(checkSpace([{ ...segment, bytes: half * 2 }], tmpdir())).rejects.toMatchObject({
    code: 'VID_LAMBDA_STORAGE',
  })
  await expect(checkSpace([{ ...segment, bytes: half, folder: sha256 }], tmpdir())).rejects.toMatchObject({
    code: 'VID_LAMBDA_STORAGE',
  })
})
