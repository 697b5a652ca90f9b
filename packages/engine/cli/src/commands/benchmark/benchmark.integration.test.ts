import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, vid } from '../../fixtures/project.ts'

test('every number of workers and quality is measured, and nothing is kept', async () => {
  const folder = await makeFolder()
  const before = (await readdir(folder)).sort()
  const args = ['benchmark', 'intro', '--runs', '2', '--workers', '1,2', '--quality', 'draft,standard']
  const { code, stdout, stderr } = await vid(folder, ...args)
  expect(code).toBe(0)
  const [head, ...rows] = stdout.trim().split('\n')
  expect(head).toMatch(/^quality +workers +time +frames\/s/)
  expect(rows.map((row) => row.split(/ +/).slice(0, 2))).toEqual([
    ['draft', '1'],
    ['draft', '2'],
    ['standard', '1'],
    ['standard', '2'],
  ])
  expect(stderr.match(/run \d of 2/g)).toHaveLength(8)
  expect(stderr).toContain('fastest: --quality ')
  expect((await readdir(folder)).sort()).toEqual(before)
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})

test('--json gives the figures', async () => {
  const folder = await makeFolder()
  const { stdout } = await vid(folder, 'benchmark', 'intro', '--runs', '1', '--workers', '1', '--json')
  const events = eventsOf(stdout)
  expect(events[0]).toMatchObject({
    type: 'benchmark-row',
    workers: 1,
    quality: 'standard',
    frames: 15,
    bytes: 15,
  })
  expect(events[0]?.wallMs).toBeGreaterThan(0)
  expect(events.at(-1)).toMatchObject({ type: 'benchmark-complete', runs: 1 })
})

test.each([
  ['--workers', '9'],
  ['--workers', '1,'],
  ['--quality', 'best'],
  ['--runs', '0'],
])('%s %s is refused', async (flag, value) => {
  const folder = await makeFolder()
  const { code, stderr } = await vid(folder, 'benchmark', 'intro', flag, value)
  expect(code).toBe(2)
  expect(stderr).toContain(`VID_FLAG_INVALID: ${flag}`)
})
