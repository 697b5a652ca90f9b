import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cells } from '../long/machines/cells.mjs'
import { makeProject } from '../long/machines/composition.mjs'
import { tryMachine } from '../long/machines/trial.mjs'

// A browser is unpacked once for each user of the machines, and all renders are to have the same bytes.
let work: string
let composition: ReturnType<typeof makeProject>
const digests = {}
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'vid-machines-'))
  await chmod(work, 0o755)
  composition = makeProject(join(work, 'film'))
})
afterAll(() => rm(work, { recursive: true, force: true }))

// The whole table: npm run lab -- machines.
test.each(cells.filter(({ isTested }) => isTested))('on $name, vid works or names what is missing', async (cell) => {
  expect((await tryMachine(work, cell, [composition], digests)).problems).toEqual([])
})
