import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ruleGroups } from '@vid/check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { path } from '../../../../../scripts/workspaces.mjs'
import { readEntries } from './entries.mjs'
import { judge } from './judge.mjs'
import { openVid } from './run-vid.mjs'
import { writeComposition } from './write-composition.mjs'

/** One entry of each group that is quick to look at; the whole corpus is npm run lab -- check-corpus. */
const SUBSET = [
  'motion/keyframes-do-not-meet',
  'page/misspelled-id',
  'picture/hole-between-scenes',
  'text/surname-in-lower-third',
]

const { signal } = new AbortController()
const all = await readEntries()
let scratch
let vid

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'check-corpus-test-'))
  await symlink(path('node_modules'), join(scratch, 'node_modules'))
  vid = await openVid(signal)
})
afterAll(async () => {
  await vid.close()
  await rm(scratch, { recursive: true })
})

test('there are at least 120 entries, each about a rule of vid check', () => {
  const rules = Object.values(ruleGroups)
    .flat()
    .map((make) => make().rule)
  expect(all.length).toBeGreaterThanOrEqual(120)
  expect(rules).toEqual(expect.arrayContaining([...new Set(all.map(({ rule }) => rule))]))
})

test.each(SUBSET)('the mistake of %s is reported, and its correct twin is clean', async (name) => {
  const entry = all.find((each) => each.name === name)
  const media = { folder: join(scratch, 'media'), files: new Map() }
  const findings = {}
  for (const side of ['wrong', 'right']) {
    const folder = join(scratch, name, side)
    await writeComposition(entry, side, folder, { media, signal })
    findings[side] = await vid.check(folder, entry.flags)
  }
  const { miss, alarms } = judge(entry, findings)
  expect([miss, alarms]).toEqual([null, []])
})
