import { expect, test } from 'vitest'
import { strangersFiles } from '../fixtures/strangers.ts'
import { readCaptions, writeSrt, writeVtt } from '../index.ts'
import { captionText } from './caption-text.ts'

const read = (content: string | Uint8Array) => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return readCaptions({ file: 'talk', text: captionText('talk', bytes).text })
}

const FILES = strangersFiles.map((file) => [file.format, file.shape, file] as const)

test('there are forty shapes', () => {
  expect(new Set(FILES.map(([format, shape]) => `${format} ${shape}`)).size).toBe(40)
})

test.each(FILES)('%s %s is read, and is the same after it was written as WebVTT and SRT', (...row) => {
  const [format, , { content, cues }] = row
  const file = read(content)
  expect(file.format).toBe(format)
  expect(file.captions.cues.map(({ start, end, text }) => [start, end, text])).toEqual(cues)
  expect(read(writeVtt(file.captions)).captions).toEqual(file.captions)
  const plain = file.captions.cues.map(({ start, end, text }) => ({ start, end, text }))
  expect(read(writeSrt(file.captions)).captions.cues).toEqual(plain)
})

const assLine = (text: string) =>
  read(
    `[Script Info]\nPlayResX: 1920\nPlayResY: 1080\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,Ana,0,0,0,,${text}\n`,
  ).captions.cues[0]

test.each([
  ['{\\an8}', 'line:0'],
  ['{\\an7}', 'line:0 position:0% align:start'],
  ['{\\a6}', 'line:0'],
  ['{\\an6}', 'line:50%,center position:100% align:end'],
  ['{\\an5\\pos(960,270)}', 'line:25%,center position:50% align:center'],
  ['{\\pos(480,1080)}', 'line:100%,end position:25% align:center'],
  ['{\\an2}', undefined],
])('the place %s of ASS becomes the settings %s', (tags, settings) => {
  expect(assLine(`${tags}One`)).toEqual({
    start: 1,
    end: 2,
    text: 'One',
    speaker: 'Ana',
    ...(settings !== undefined && { settings }),
  })
})

test('karaoke of ASS becomes the times of words', () => {
  expect(assLine('{\\k20}One {\\kf30}by {\\k50}one')?.words).toEqual([
    { text: 'One', start: 1, end: 1.2 },
    { text: 'by', start: 1.2, end: 1.5 },
    { text: 'one', start: 1.5, end: 2 },
  ])
})

test.each([
  ['a Cyrillic text in Windows-1251', [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]],
  ['bytes that Windows-1252 does not have', [0x43, 0x61, 0x66, 0x81, 0x90]],
])('%s is refused, not guessed', (_what, text) => {
  const bytes = new Uint8Array([...new TextEncoder().encode('1\n00:00:01,000 --> 00:00:02,000\n'), ...text])
  expect(() => read(bytes)).toThrow(expect.objectContaining({ code: 'VID_CAPTIONS_ENCODING' }))
})

test('a broken line of ASS is an error with its place', () => {
  const text = '[Events]\nDialogue: 0,0:00:02.00,0:00:01.00,Default,,0,0,0,,One\n'
  expect(() => read(text)).toThrow('line 2')
  expect(() => read(text.replace('0:00:02.00', 'soon'))).toThrow('"soon" is not a time')
})

test('a cue without a length is shown as long as it is read, at most until the next one', () => {
  const cues = (second: string) =>
    read(`1\n00:00:01,000 --> 00:00:01,000\nOne\n\n2\n${second} --> 00:00:09,000\nTwo\n`).captions.cues
  expect(cues('00:00:05,000')[0]).toMatchObject({ start: 1, end: 2 })
  expect(cues('00:00:01,600')[0]).toMatchObject({ start: 1, end: 1.6 })
  expect(cues('00:00:01,100')[0]).toMatchObject({ start: 1, end: 2 })
})
