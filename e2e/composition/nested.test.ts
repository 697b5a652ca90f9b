import { copyFile, cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { frameHashes } from '@vid/ffmpeg'
import { expect, test } from 'vitest'
import type { Patch } from '../support/colours.ts'
import { here, scratch, vidInProcess } from '../support/vid.ts'
import { box, compare, renderAllWays, within } from '../support/ways.ts'

test('one file three times with its own values, and files three deep, each on its own time', async () => {
  const { frames, stderr } = await renderAllWays(here('projects/nested-depth'))
  const card = (t: number, x: number, start: number, end: number, tone: string, speed: number) =>
    within(t, start, end)
      ? [
          box(x, 0, 100, 60, '#202020'),
          box(x + speed * Math.min(t - start, 2), 0, 20, 20, tone),
          box(x, 30, 10, 30, '#ffffff'),
        ]
      : []
  const scene = (t: number): Patch[] => [
    ...card(t, 0, 0, 4, '#ff0000', 20),
    ...card(t, 110, 1, 3, '#00ff00', 40),
    ...card(t, 220, 0.5, 4, '#0000ff', 20),
    ...(within(t, 1, 3) ? [box(100 * Math.min(t - 1, 1), 70, 20, 20, '#ff0000')] : []),
    ...(within(t, 1.5, 2.5) ? [box(200 * Math.min(t - 1.5, 1), 100, 20, 20, '#00ff00')] : []),
    // Longer than what it stands in, and so cut short by it.
    ...(within(t, 1.75, 2.5) ? [box(300 * Math.min(t - 1.75, 0.4), 130, 20, 20, '#0000ff')] : []),
    ...(within(t, 2, 2.5) ? [box(200, 130, 20, 20, '#ffff00')] : []),
  ]
  expect(frames).toHaveLength(120)
  expect(compare(frames, scene)).toEqual([])
  expect(stderr).not.toContain('warning')
})

test('whole documents, fragments and inline compositions keep their styles, files, names and starts', async () => {
  const project = join(await scratch(), 'project')
  await cp(here('projects/nested-parts'), project, { recursive: true })
  await symlink(here('../node_modules'), join(project, 'node_modules'))
  await symlink('../shared/blue.svg', join(project, 'scenes/linked.svg'))
  const fonts = dirname(
    createRequire(here('../packages/engine/browser/package.json')).resolve(
      '@expo-google-fonts/jetbrains-mono/package.json',
    ),
  )
  await copyFile(join(fonts, '400Regular/JetBrainsMono_400Regular.ttf'), join(project, 'scenes/scene.ttf'))

  const { frames, stderr } = await renderAllWays(project)
  const fragment = (t: number, x: number, y: number, h: number, start: number) =>
    t >= start - 1e-6 ? [box(x, y, 160, h, '#003080'), box(x + 50 * Math.min(t - start, 1), y, 10, 10, '#00ffff')] : []
  const scene = (t: number): Patch[] => [
    box(0, 0, 160, 90, '#202020'),
    box(0, 0, 160, 45, '#404040'),
    box(10, 10, 20, 20, '#ff0000'),
    box(40, 10, 20, 20, '#00ff00'),
    box(70, 10, 20, 20, '#0000ff'),
    // Ten characters of the scene's own font, 0.6 em each; those of the default one are narrower.
    box(100, 10, 48, 20, '#ffffff'),
    box(100 * Math.min(t, 1), 30, 10, 10, '#ffff00'),
    ...fragment(t, 160, 0, 90, 0.5),
    ...(within(t, 1, 1.5) ? [box(200 * Math.min(t - 1, 0.25), 100, 20, 20, '#ff00ff')] : []),
    ...(within(t, 1.25, 1.5) ? [box(0, 120, 20, 20, '#ffffff')] : []),
    ...fragment(t, 0, 140, 40, 1.75),
  ]
  expect(frames).toHaveLength(60)
  expect(compare(frames, scene)).toEqual([])
  // Two of its hosts are never on.
  const warnings = stderr.match(/^warning \w+/gm)
  expect(warnings).toEqual(['warning VID_EMBEDDED_UNSEEN', 'warning VID_EMBEDDED_UNSEEN'])
})

test('scripts of scenes that fail before the first frame end the render, and are named with file and line', async () => {
  const output = join(await scratch(), 'out.mp4')
  const { code, stderr } = await vidInProcess(['render', here('projects/nested-faults'), '-o', output])
  expect(code).toBe(1)
  expect(stderr).toContain('error VID_SCRIPT_FAILED')
  for (const place of [
    'nowhere is not defined (scenes/throws.html:7)',
    'rejected by a scene (scenes/throws.html:17)',
    "Unexpected token '=' (scenes/syntax.html:8)",
    'thrown by a file (scenes/own.js:3)',
  ])
    expect(stderr).toContain(place)
})

const stage = (inner: string) =>
  `<!doctype html><html><body><div data-composition-id="main" data-width="64" data-height="36" data-duration="1">${inner}</div></body></html>`
const host = (src: string) => `<div id="host" data-composition-src="${src}" data-start="0"></div>`
const scenes: Readonly<Record<string, string>> = {
  'fine.html': '<template><p>fine</p></template>',
  'empty.html': ' ',
  'hollow.html': '<template></template>',
  'one.html': `<template>${host('two.html')}</template>`,
  'two.html': `<template>${host('one.html')}</template>`,
  'self.html': `<template>${host('self.html')}</template>`,
  'asks.html': '<template><div data-composition-id="asks"><p data-start="nobody"></p></div></template>',
}

test.each([
  ['fine.html', 'VID_PLUGIN_FAILED', 'a browser was started'],
  ['missing.html', 'VID_NESTED_MISSING', '<div id="host"> (scenes/all.html:1)'],
  ['../../outside.html', 'VID_NESTED_MISSING', 'outside.html'],
  ['empty.html', 'VID_NESTED_EMPTY', 'empty.html'],
  ['hollow.html', 'VID_NESTED_EMPTY', 'hollow.html'],
  ['one.html', 'VID_NESTED_CYCLE', 'scenes/one.html → scenes/two.html → scenes/one.html'],
  ['self.html', 'VID_NESTED_CYCLE', 'scenes/self.html → scenes/self.html'],
  ['asks.html', 'VID_COMPOSITION_BAD_START', 'scenes/asks.html:1'],
])('a scene that embeds %s ends with %s, before a browser starts when something is wrong', async (src, code, named) => {
  const folder = await scratch()
  const project = join(folder, 'project')
  await mkdir(join(project, 'scenes'), { recursive: true })
  await writeFile(join(folder, 'outside.html'), '<template>secret</template>')
  await writeFile(join(project, 'index.html'), stage(host('scenes/all.html')))
  await writeFile(join(project, 'scenes/all.html'), `<template>${host(src)}</template>`)
  for (const [name, text] of Object.entries(scenes)) await writeFile(join(project, 'scenes', name), text)
  await writeFile(
    join(project, 'vid.config.mjs'),
    `import puppeteer from '@vid/capture-puppeteer'
    export default { capture: { ...puppeteer(), open() { throw new Error('a browser was started') } } }`,
  )
  await symlink(here('../node_modules'), join(project, 'node_modules'))
  const run = await vidInProcess(['render', project, '-o', join(folder, 'never.mp4')])
  expect(run.code, run.stderr).not.toBe(0)
  expect(run.stderr).toContain(code)
  expect(run.stderr).toContain(named)
  expect(run.stderr.includes('a browser was started')).toBe(src === 'fine.html')
})

test('an embedded file rendered by itself shows what it shows in its host', async () => {
  const folder = await scratch()
  await mkdir(join(folder, 'scenes'))
  const scene = `<template>
    <style>#card { position: relative; width: 64px; height: 48px; background: #003080 url(mark.svg) no-repeat }
      @keyframes move { to { left: 40px } }
      #dot { position: absolute; left: 0; top: 20px; width: 10px; height: 10px; background: #0ff; animation: move 1s linear both }</style>
    <div id="card" data-composition-id="card" data-width="64" data-height="48" data-duration="1"><i id="dot"></i></div>
  </template>`
  const host = `<body style="margin:0"><div data-composition-id="main" data-width="64" data-height="48" data-duration="1">
    <div data-composition-src="scenes/card.html" data-start="0" style="position:absolute;inset:0"></div></div></body>`
  const mark =
    '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>'
  await writeFile(join(folder, 'scenes/card.html'), scene)
  await writeFile(join(folder, 'index.html'), host)
  await writeFile(join(folder, 'mark.svg'), mark)
  const hashes = []
  for (const entry of ['index.html', 'scenes/card.html']) {
    const output = join(folder, `${hashes.length}.mp4`)
    const run = await vidInProcess(['render', folder, '-c', entry, '-o', output, '--crf', '0', '-w', '1'])
    expect(run, run.stderr).toMatchObject({ code: 0, stderr: expect.not.stringContaining('warning') })
    expect(await vidInProcess(['lint', folder, '-c', entry])).toMatchObject({ code: 0 })
    hashes.push(await frameHashes(output))
  }
  expect(new Set(hashes[0]).size).toBeGreaterThan(20)
  expect(hashes[1]).toEqual(hashes[0])
})
