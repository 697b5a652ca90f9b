import { expect, test } from 'vitest'
import { type Captions, moveCaptions, readCaptions, readVtt, writeSrt, writeVtt } from '../index.ts'

const read = (text: string, file = 'talk') => readCaptions({ file, text })
const cuesOf = (text: string) => read(text).captions.cues

const VTT = `\ufeffWEBVTT - A talk\r
Language: pt-BR\r
\r
NOTE
A note, which is no cue --
\r
STYLE\r
::cue { color: red }\r
\r
REGION\r
id:fred\r
\r
intro\r
00:01.000 --> 00:03.500 align:start position:10%\r
<v Ana Lima><i>Good</i> <b.loud>morning</b> &amp; &lt;welcome&gt;\r
back\r
\r
01:00:00.000 --> 01:00:02.000
<00:59:59.000>Late
`

test('WebVTT is read with its speaker, id and settings, and without tags, notes, styles and regions', () => {
  const { format, captions } = read(VTT)
  expect(format).toBe('vtt')
  expect(captions.language).toBe('pt-BR')
  expect(captions.cues[0]).toEqual({
    start: 1,
    end: 3.5,
    text: 'Good morning & <welcome>\nback',
    speaker: 'Ana Lima',
    id: 'intro',
    settings: 'align:start position:10%',
  })
  expect(captions.cues[1]).toMatchObject({ start: 3600, end: 3602, text: 'Late' })
})

test('times inside the text of a cue become words, and a pause between words is kept', () => {
  const text =
    'WEBVTT\n\n00:01.000 --> 00:04.000\nSo <00:01.300>we<00:01.500> <00:02.000>begin now,\n<00:03.000>all<00:03.200>\n'
  const [cue] = cuesOf(text)
  expect(cue).toEqual({
    start: 1,
    end: 4,
    text: 'So we begin now,\nall',
    words: [
      { text: 'So', start: 1, end: 1.3 },
      { text: 'we', start: 1.3, end: 1.5 },
      { text: 'begin now,', start: 2, end: 3 },
      { text: 'all', start: 3, end: 3.2 },
    ],
  })
})

test('SubRip is read with missing numbers, points for commas, empty lines in a text and markup', () => {
  const text = `1\r\n00:00:01,000 --> 00:00:02,000 X1:10 X2:20\r\n{\\an8}<font color="#fff">One</font>\r\n\r\n2024\r\n\r\n00:00:03.5 --> 00:00:04.25\r\n<i>Two</i> < three\r\n`
  expect(read(text)).toEqual({
    format: 'srt',
    captions: {
      cues: [
        { start: 1, end: 2, text: 'One\n2024' },
        { start: 3.5, end: 4.25, text: 'Two < three' },
      ],
    },
  })
})

const WORDS: Captions = {
  language: 'en',
  cues: [
    { start: 0, end: 1.001, text: 'A & B <c> --> d', id: 'first', settings: 'line:0' },
    { start: 1.25, end: 2, text: 'One', words: [{ text: 'One', start: 1.25, end: 2 }] },
    {
      start: 2,
      end: 5.999,
      text: 'Three\u00a0small words\nهذا اختبار 👩‍🚀',
      speaker: 'R&D <2>',
      words: [
        { text: 'Three\u00a0small', start: 2.5, end: 3 },
        { text: 'words', start: 3, end: 3.1 },
        { text: 'هذا', start: 4, end: 4.5 },
        { text: 'اختبار', start: 4.5, end: 5 },
        { text: '👩‍🚀', start: 5.1, end: 5.999 },
      ],
    },
    { start: 360_000, end: 360_000.5, text: '二つ目' },
  ],
}

test('what WebVTT can hold is the same after it was written and read', () => {
  expect(read(writeVtt(WORDS)).captions).toEqual(WORDS)
})

test('what SubRip can hold is the same after it was written and read', () => {
  const plain = WORDS.cues.map(({ start, end, text }) => ({ start, end, text }))
  expect(read(writeSrt(WORDS)).captions.cues).toEqual(plain)
})

test('every time to the millisecond survives a round trip', () => {
  const cues = Array.from({ length: 1000 }, (_, index) => {
    const start = (index * 7919) / 1000
    return { start, end: (index * 7919 + 1) / 1000, text: `${index}` }
  })
  expect(read(writeVtt({ cues })).captions.cues).toEqual(cues)
  expect(read(writeSrt({ cues })).captions.cues).toEqual(cues)
})

test('moved captions lose what would end before 0', () => {
  const { cues } = moveCaptions(WORDS, -1.35)
  expect(cues.map(({ start, end }) => [start, end])).toEqual([
    [0, 0.65],
    [0.65, 4.649],
    [359_998.65, 359_999.15],
  ])
  expect(cues[0]?.words).toEqual([{ text: 'One', start: 0, end: 0.65 }])
})

test('words without segments become cues by speaker, pause, sentence and length', () => {
  const word = (text: string, start: number, speaker = 'A') => ({
    text,
    start: start * 1000,
    end: start * 1000 + 200,
    speaker,
  })
  const words = [
    ...['This', 'is', 'the', 'first', 'of', 'all', 'sentences.'].map((text, index) => word(text, index * 0.25)),
    ...['Now', 'a', 'pause'].map((text, index) => word(text, 2 + index * 0.25)),
    ...['and', 'on.'].map((text, index) => word(text, 5 + index * 0.25)),
    word('Yes.', 5.6, 'B'),
  ]
  expect(cuesOf(JSON.stringify({ words })).map(({ text }) => text)).toEqual([
    'This is the first of all sentences.',
    'Now a pause',
    'and on.',
    'Yes.',
  ])
})

test('words of scripts without spaces are joined without them', () => {
  const words = ['今日は', '、', '良い', '天気', 'です', '。', 'OK', '？'].map((content, index) => ({
    type: '、。？'.includes(content) ? 'punctuation' : 'pronunciation',
    start_time: `${index * 0.3}`,
    end_time: `${index * 0.3 + 0.2}`,
    alternatives: [{ content }],
  }))
  expect(cuesOf(JSON.stringify({ results: { items: words } }))[0]?.text).toBe('今日は、良い天気です。 OK？')
})

const BROKEN: readonly (readonly [what: string, text: string, place: string, reason: string])[] = [
  ['an end before the start', 'WEBVTT\n\n00:02.000 --> 00:01.000\nx\n', 'line 3', 'before the start'],
  ['a time that is none', 'WEBVTT\n\nid\n00:61.000 --> 01:02.000\nx\n', 'line 4', '"00:61.000" is not a time'],
  ['a cue without a time', 'WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\ny\n', 'line 6', '"y" has no time'],
  ['a header without an empty line', 'WEBVTT\n00:01.000 --> 00:02.000\nx\n', 'line 2', 'an empty line'],
  ['half a time line', '1\n00:00:01,000 -->\nx\n', 'line 2', 'does not have two times'],
  ['text before the first time', 'Hello\n\n1\n00:00:01,000 --> 00:00:02,000\nx\n', 'line 1', 'before any time'],
  ['JSON that ends too early', '{\n"segments": [\n', 'line 3', 'it is not JSON'],
  ['a segment without a time', '{"segments":[{"text":"x","start":0}]}', 'segments[0].end', 'not a time'],
  ['words that are no array', '{"words":{"type":"word"},"utterances":[]}', 'words', 'an array is expected'],
  ['a negative time', '{"segments":[{"text":"x","start":-1,"end":2}]}', 'segments[0].start', '-1 is not a time'],
]

test.each(BROKEN)('%s is an error with its place', (_what, text, place, reason) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code: 'VID_CAPTIONS_BROKEN', facts: expect.objectContaining({ place }) }),
  )
  expect(() => read(text)).toThrow(reason)
})

test.each(['', 'Hello', '{"hello":1}', '[]x'])('%j has no format', (text) => {
  expect(() => read(text)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^VID_CAPTIONS_(FORMAT|BROKEN)$/) }),
  )
})

test('the reader of WebVTT for pages tells where a file is broken', () => {
  expect(readVtt('VTT')).toEqual({ problem: { line: 1, reason: 'the first line of WebVTT is "WEBVTT"' } })
})
