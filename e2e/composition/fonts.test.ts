import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodePng } from '@vid/testkit'
import { expect, test } from 'vitest'
import { scratch, vid, vidInProcess } from '../support/vid.ts'
import { projectOf } from '../support/ways.ts'

const FAMILIES = ['sans-serif', 'Inter', 'serif', '"Source Serif 4"', 'monospace', '"JetBrains Mono"', 'system-ui']
const ROW = 20

const page = `<!doctype html><html><head><meta charset="utf-8"><style>
  #root { background: #fff }
  p { position: absolute; left: 4px; margin: 0; height: ${ROW}px; line-height: ${ROW}px; font-size: 14px; white-space: pre; color: #000 }
  </style></head><body><div id="root" data-composition-id="main" data-width="320" data-height="180" data-duration="0.1">
  ${FAMILIES.map((family, row) => `<p style='top:${row * ROW}px;font-family:${family}'>Hamburg iiii 0123 fi ÄÖ</p>`).join('')}
  <p style="top:${FAMILIES.length * ROW}px">🍎🍏🫐</p></div></body></html>`

/** A still of the page, from a process with other variables where some are given: the browser has those of its process. */
const still = async (env?: NodeJS.ProcessEnv) => {
  const folder = await scratch()
  const words = ['snapshot', await projectOf({ 'index.html': page }), '-o', folder, '--at', '0']
  const run = await (env ? vid(words, { env }) : vidInProcess(words))
  expect(run, run.stderr).toMatchObject({ code: 0 })
  return decodePng(await readFile(join(folder, 'snapshot_0s.png')))
}

test('text has the bundled families on any machine, and emoji their colours', async () => {
  const { data } = await still()
  const nowhere = join(await scratch(), 'nothing')
  const other = await still({ FONTCONFIG_FILE: nowhere, FONTCONFIG_PATH: nowhere, LANG: 'de_DE.UTF-8' })
  expect(Buffer.compare(data, other.data), 'a machine without fonts shows the same').toBe(0)

  const row = (n: number) => Buffer.from(data.subarray(n * ROW * 320 * 4, (n + 1) * ROW * 320 * 4))
  const texts = FAMILIES.map((_family, n) => row(n).toString('base64'))
  expect([texts[1], texts[3], texts[5]]).toEqual([texts[0], texts[2], texts[4]])
  expect(new Set([texts[0], texts[2], texts[4]]).size).toBe(3)
  expect(texts[6]).toBe(texts[0])

  // A red apple, a green one and blue berries: by the channel that leads.
  const emoji = row(FAMILIES.length)
  const leading = [0, 0, 0]
  for (let offset = 0; offset < emoji.length; offset += 4) {
    const rgb = [...emoji.subarray(offset, offset + 3)]
    const max = Math.max(...rgb)
    if (max - Math.min(...rgb) > 60) leading[rgb.indexOf(max)] = (leading[rgb.indexOf(max)] ?? 0) + 1
  }
  for (const pixels of leading) expect(pixels).toBeGreaterThan(15)
})

const boxes = (head: string, family: string) =>
  `<!doctype html><html><head><meta charset="utf-8">${head}<style>p { font: 20px ${family} }</style></head>
  <body><div data-composition-id="main" data-width="320" data-height="180" data-duration="0.1">
  <p>مرحبا नमस्ते สวัสดี שלום</p><p id="greeting">გამარჯობა</p><p id="late"></p>
  <script>setTimeout(() => { late.textContent = 'ձ' }, 50)</script></div></body></html>`

test('characters that no font has are reported, also late ones, and the font in the hint has them', async () => {
  const render = async (files: Record<string, string | Uint8Array>) =>
    vidInProcess(['render', await projectOf(files), '-o', join(await scratch(), 'a.mp4'), '-w', '2'])
  const without = await render({ 'index.html': boxes('', 'sans-serif') })
  expect(without, without.stderr).toMatchObject({ code: 0 })
  const georgian = 'No font has the Georgian characters გამრჯობ (in p#greeting): they are drawn as boxes.'
  const armenian = 'No font has the Armenian character ձ (in p#late): they are drawn as boxes.'
  const warnings = without.stderr.split('\n').filter((line) => line.startsWith('warning'))
  expect(warnings.sort()).toEqual([armenian, georgian].map((text) => `warning VID_LETTERS_MISSING: ${text}`))
  expect(without.stderr).toContain('npm install @fontsource/noto-sans-georgian"')

  const damaged = `<!doctype html><body><div data-composition-id="main" data-width="64" data-height="36" data-duration="0.1"><p>Gr\u00f6\u00dfe</p></div>`
  const latin1 = await render({ 'index.html': Buffer.from(damaged, 'latin1') })
  expect(latin1.stderr).toContain('warning VID_TEXT_DAMAGED: Some text in p is not valid UTF-8 and is shown as \uFFFD')
  expect(latin1.stderr).not.toContain('npm install')

  const carrier = dirname(fileURLToPath(import.meta.resolve('@fontsource/noto-sans-georgian/package.json')))
  const file = 'files/noto-sans-georgian-georgian-400-normal.woff2'
  const linked = await render({
    'index.html': boxes('<link rel="stylesheet" href="font/400.css">', '"Noto Sans Georgian"').replace('ձ', 'ა'),
    'font/400.css': await readFile(join(carrier, '400.css')),
    [`font/${file}`]: await readFile(join(carrier, file)),
  })
  expect(linked, linked.stderr).toMatchObject({ code: 0 })
  expect(linked.stderr).not.toContain('VID_LETTERS_MISSING')
})

/** A script for each way in which a text is drawn, so that the warnings tell the ways apart. */
const DRAWN = `<!doctype html><html><head><meta charset="utf-8"><style>
  body { font: 20px sans-serif } #upper { text-transform: uppercase } #attribute::after { content: attr(data-x) }
  #markers { list-style-type: armenian } #counter::before { content: counter(n, korean-hangul-formal) }
  @counter-style own { system: cyclic; symbols: 'ⴰ' } #own { list-style-type: own }</style></head>
  <body><div data-composition-id="main" data-width="320" data-height="180" data-duration="0.1">
  <p id="upper">გ</p><p id="attribute" data-x="ಕ">a</p><p id="counter">b</p><ol id="markers"><li>c</ol><ol id="own"><li>d</ol>
  <svg><text id="svg">అ</text></svg><input id="value" value="க"><input id="empty" placeholder="ක"><textarea id="area">ກ</textarea>
  <select id="choice"><option>ក</select><img id="alternative" alt="က" src="data:image/png;base64,AA"><canvas id="canvas"></canvas>
  <script>canvas.getContext('2d').fillText('অ', 10, 20)</script></div></body></html>`

test('characters that no font has are reported as they are drawn, wherever their text stands', async () => {
  const project = await projectOf({ 'index.html': DRAWN })
  const { code, stderr } = await vidInProcess(['snapshot', project, '-o', await scratch(), '--at', '0'])
  expect(code, stderr).toBe(0)
  const reported = [...stderr.matchAll(/characters? (\S+) \(in (\S+)\)/g)].map(
    ([, characters, place]) => `${place} ${characters}`,
  )
  expect(reported.sort()).toEqual(
    [
      'p#upper Გ',
      'p#attribute ಕ',
      'p#counter 일',
      'li Ա',
      'li ⴰ',
      'text#svg అ',
      'input#value க',
      'input#empty ක',
      'textarea#area ກ',
      'select#choice ក',
      'img#alternative က',
      'canvas#canvas অ',
    ].sort(),
  )
})

test('a formula has its letters, and other symbols the fonts that they had without the font of formulas', async () => {
  const html = `<!doctype html><html><head><meta charset="utf-8"></head><body style="font: 20px sans-serif">
    <div data-composition-id="main" data-width="320" data-height="180" data-duration="0.1">
    <math><mi id="x">x</mi></math><span id="letter">𝑥</span><p><span id="line">┌─┐</span><span id="mono" style="font-family: monospace">┌─┐</span>
    <script>const wide = (element) => element.getBoundingClientRect().width
    console.error('widths ' + [wide(line) === wide(mono), Math.abs(wide(x) - wide(letter)) < 2])</script></div></body></html>`
  const project = await projectOf({ 'index.html': html })
  const { code, stderr } = await vidInProcess(['snapshot', project, '-o', await scratch(), '--at', '0'])
  expect(code, stderr).toBe(0)
  expect(stderr).not.toContain('VID_LETTERS_MISSING')
  // Inter has no lines of boxes, and JetBrains Mono has.
  expect(stderr).toContain('widths true,true')
})

test('a family that is linked from Google Fonts is drawn from its installed package, without a network', async () => {
  const carrier = dirname(fileURLToPath(import.meta.resolve('@fontsource/bebas-neue/package.json')))
  const file = 'files/bebas-neue-latin-400-normal.woff2'
  const drawn = async (head: string, family: string, files: Record<string, Uint8Array> = {}) => {
    const html = `<!doctype html><html><head>${head}<style>body { margin: 0 } p { margin: 4px; font: 40px '${family}' }</style></head>
      <body><div data-composition-id="main" data-width="320" data-height="64" data-duration="0.1"><p>Hamburg 0123</p></div></body></html>`
    const folder = await scratch()
    const project = await projectOf({ 'index.html': html, ...files })
    const run = await vidInProcess(['snapshot', project, '-o', folder, '--at', '0'])
    expect(run, run.stderr).toMatchObject({ code: 0 })
    return { data: decodePng(await readFile(join(folder, 'snapshot_0s.png'))).data, stderr: run.stderr }
  }
  const google = 'https://fonts.googleapis.com/css2?family='
  const linked = await drawn(`<link rel="stylesheet" href="${google}Bebas+Neue&display=swap">`, 'Bebas Neue')
  expect(linked.stderr).not.toContain('warning')
  const declared = await drawn(`<style>@font-face { font-family: Own; src: url(own.woff2) }</style>`, 'Own', {
    'own.woff2': await readFile(join(carrier, file)),
  })
  expect(Buffer.compare(linked.data, declared.data), 'the same glyphs as those of the file').toBe(0)

  const missing = await drawn(`<link rel="stylesheet" href="${google}No+Such+Family">`, 'No Such Family')
  expect(Buffer.compare(linked.data, missing.data)).not.toBe(0)
  expect(missing.stderr).toContain('npm install @fontsource/no-such-family')
})
