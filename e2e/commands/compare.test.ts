import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { eventProblems } from '../../scripts/dev/event-problems.ts'
import { here, scratch, vidInProcess } from '../support/vid.ts'

const PAGE = `<!doctype html><meta charset="utf-8">
<div id="root" data-composition-id="film" data-width="320" data-height="180" data-duration="2">
<h1 id="title" data-start="0.5" data-duration="1">Hello</h1></div>`

test('vid timeline prints a chart of 80 columns, and all of it as one event', async () => {
  const project = here('projects/frame-number')
  const { code, stdout, stderr } = await vidInProcess(['timeline', project, '--at', '1s'])
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('320x180, 4 s, 120 frames at 30 fps')
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  const json = await vidInProcess(['timeline', project, '--json'])
  expect(eventProblems(JSON.parse(json.stdout))).toEqual([])
  const late = await vidInProcess(['timeline', project, '--at', '9s'])
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('"9s"')])
})

test('vid sheet writes a PNG of the width that was asked for, and refuses a folder in its place', async () => {
  const folder = await scratch()
  const output = join(folder, 'sheet.png')
  const args = ['sheet', here('projects/frame-number'), '-o', output, '--frames', '3', '--width', '900']
  const { code, stdout, stderr } = await vidInProcess(args)
  expect([code, stdout], stderr).toEqual([0, `${output}\n`])
  expect(decodePng(new Uint8Array(await readFile(output))).width).toBe(900)
  expect(await vidInProcess([...args.slice(0, 2), '-o', `${folder}/`])).toMatchObject({ code: 2, stdout: '' })
  const both = await vidInProcess([...args, '--changes'])
  expect(both.stderr).toContain('--frames and --changes')
})

test('vid diff says what differs, and ends with 1 for it when asked to', async () => {
  const folder = await scratch()
  for (const [name, text] of [
    ['a', PAGE],
    ['b', PAGE.replace('Hello', 'Goodbye')],
  ] as const) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'index.html'), text)
  }
  const a = join(folder, 'a')
  const same = await vidInProcess(['diff', a, a, '--exit-code'])
  expect([same.code, same.stdout], same.stderr).toEqual([0, expect.stringContaining('0 of 60 frames differ: proven')])
  const sheet = join(folder, 'sheet.png')
  const other = await vidInProcess(['diff', a, join(folder, 'b'), '--exit-code', '--sheet', sheet, '--json'])
  expect(other.code, other.stderr).toBe(1)
  const event = JSON.parse(other.stdout)
  expect(eventProblems(event)).toEqual([])
  expect(event).toMatchObject({
    differing: 30,
    sheet: [sheet],
    intervals: [{ start: 15, end: 45, elements: ['#title'] }],
  })
  expect(decodePng(new Uint8Array(await readFile(sheet))).width).toBe(1568)
  expect(await vidInProcess(['diff', a, join(folder, 'b')])).toMatchObject({ code: 0 })
})
