import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { eventProblems } from '@vid/protocol'
import { createRenderer, type Renderer } from '@vid/render'
import { decodePng } from '@vid/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { analysisEvents } from '../events.ts'
import { makeProject, TWO_SCENES } from '../fixtures/projects.ts'
import { makeSheet, type SheetSettings } from './make-sheet.ts'

let renderer: Renderer
beforeAll(async () => {
  renderer = await createRenderer({ cwd: tmpdir() })
})
afterAll(() => renderer.close())

const { signal } = new AbortController()

const draw = async (settings: Partial<SheetSettings>, html = TWO_SCENES) => {
  const projectDir = await makeProject({ 'index.html': html })
  const output = join(projectDir, 'sheet.png')
  const full = {
    composition: { projectDir },
    choice: { kind: 'spread', count: 4 },
    width: 1568,
    output,
    env: process.env,
  } as const
  const sheet = await makeSheet(renderer, { ...full, ...settings }, { signal })
  expect(eventProblems({ type: 'sheet', ...sheet }, analysisEvents)).toEqual([])
  const picture = decodePng(new Uint8Array(await readFile(sheet.pages[0]?.path ?? '')))
  const at = (x: number, y: number) => [
    ...picture.data.slice((y * picture.width + x) * 4, (y * picture.width + x) * 4 + 3),
  ]
  return { sheet, picture, at }
}

test('stills stand beside each other in the order of time', async () => {
  const { sheet, picture, at } = await draw({})
  expect(sheet.tiles.map(({ frame, time }) => [frame, time])).toEqual([
    [7, 7 / 30],
    [22, 22 / 30],
    [37, 37 / 30],
    [52, 52 / 30],
  ])
  expect(picture.width).toBe(1568)
  // Tiles are 377 pixels wide, 12 apart: the composition is red in its first second and blue in its second.
  expect([200, 590, 980, 1370].map((x) => at(x, 100))).toEqual([
    [255, 0, 0],
    [255, 0, 0],
    [0, 0, 255],
    [0, 0, 255],
  ])
})

test('each distinct state and each clip has one still, with what it is', async () => {
  const changes = await draw({ choice: { kind: 'changes' } })
  expect(changes.sheet.tiles).toEqual([
    { frame: 0, time: 0, note: 'stands 0 s to 1 s, clip start one', row: null },
    { frame: 30, time: 1, note: 'stands 1 s to 2 s, clip end one, clip start two, new picture', row: null },
  ])
  const clips = await draw({ choice: { kind: 'per-clip' } })
  expect(clips.sheet.tiles.map(({ frame, note }) => [frame, note])).toEqual([
    [15, 'clip one, 0 s to 1 s'],
    [45, 'clip two, 1 s to 2 s'],
  ])
})

test('an element is shown in place of the whole picture, and said to be missing where it is', async () => {
  const { sheet, at } = await draw({ choice: { kind: 'at', at: '0,1.5s' }, zoom: '#dot', width: 800 })
  expect(sheet.tiles.map(({ note }) => note)).toEqual(['', '#dot is not in the picture'])
  // The dot is a square of 20 pixels with 16 around it.
  expect(at(206, 200)).toEqual([0, 255, 0])
})

test('each row of a batch has a row of stills', async () => {
  const rows = [{ ground: '#00ff00' }, { ground: '#ffff00' }]
  const html = TWO_SCENES.replace(
    '<html>',
    `<html data-composition-variables='[{"id":"ground","type":"color","label":"Ground","default":"#000000"}]'>`,
  ).replace('background:#f00', 'background:var(--ground)')
  const { sheet, at } = await draw({ choice: { kind: 'at', at: '0' }, rows }, html)
  expect(sheet.tiles.map(({ row }) => row)).toEqual([0, 1])
  expect(at(400, 300)).toEqual([0, 255, 0])
  const second =
    sheet.pages.length > 1 ? decodePng(new Uint8Array(await readFile(sheet.pages[1]?.path ?? ''))) : undefined
  expect(second && [...second.data.slice((300 * 1568 + 400) * 4, (300 * 1568 + 400) * 4 + 3)]).toEqual([255, 255, 0])
})

test('what does not fit one page goes on the next', async () => {
  const { sheet } = await draw({ choice: { kind: 'spread', count: 12 }, width: 400 })
  expect(sheet.pages.map(({ path }) => basename(path))).toEqual(['sheet.png', 'sheet-2.png'])
  expect(Math.max(...sheet.pages.map(({ height }) => height))).toBeLessThanOrEqual(1568)
})

test('a selector that is none is refused', async () => {
  await expect(draw({ zoom: '##' })).rejects.toMatchObject({ code: 'VID_SHEET_ZOOM' })
})
