import { expect, test } from 'vitest'
import { breakLines, linesText } from './break-lines.ts'
import { timeUnits } from './unit-times.ts'
import { charactersOf, unitsOf } from './units.ts'

/** One for each character, two for wide ones. */
const widthOf = (text: string): number =>
  charactersOf(text).reduce(
    (sum, character) => sum + (/[\u3000-\u9fff\uac00-\ud7af\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(character) ? 2 : 1),
    0,
  )

const pages = (text: string, language?: string, maxWidth = 20, maxLines = 2) =>
  breakLines(unitsOf(text, language), { maxWidth, maxLines, widthOf }).map(linesText)

/** How captions break at 20 characters, two lines at a time. */
const BREAKS: readonly (readonly [
  script: string,
  language: string,
  text: string,
  lines: readonly (readonly string[])[],
])[] = [
  ['Latin', 'en', 'We built a small tool for you', [['We built a small', 'tool for you']]],
  ['Latin, at a comma', 'en', 'When it rains, we stay at home', [['When it rains,', 'we stay at home']]],
  ['Latin, long', 'de', 'Donaudampfschifffahrt ist ein Wort', [['Donaudampfschifffahr', 't ist ein Wort']]],
  ['Cyrillic', 'ru', 'Мы сделали небольшой инструмент', [['Мы сделали', 'небольшой инструмент']]],
  ['Greek', 'el', 'Φτιάξαμε ένα μικρό εργαλείο', [['Φτιάξαμε ένα', 'μικρό εργαλείο']]],
  ['Chinese', 'zh', '我们为你们做了一个小工具。', [['我们为你们做了', '一个小工具。']]],
  ['Japanese', 'ja', '今日は「良い天気」ですね、皆さん。', [['今日は「良い天気」', 'ですね、皆さん。']]],
  ['Korean', 'ko', '우리는 작은 도구를 만들었습니다', [['우리는 작은 도구를', '만들었습니다']]],
  ['Thai', 'th', 'เราสร้างเครื่องมือเล็กๆสำหรับคุณ', [['เราสร้างเครื่อง', 'มือเล็กๆสำหรับคุณ']]],
  ['Arabic', 'ar', 'لقد صنعنا أداة صغيرة من أجلك', [['لقد صنعنا أداة', 'صغيرة من أجلك']]],
  ['Hebrew', 'he', 'בנינו כלי קטן בשבילך היום', [['בנינו כלי קטן', 'בשבילך היום']]],
  ['Devanagari', 'hi', 'हमने आपके लिए एक छोटा उपकरण बनाया', [['हमने आपके लिए एक', 'छोटा उपकरण बनाया']]],
  ['emoji', 'en', 'Well done 👩‍👩‍👧‍👦 all of you 🎉🎉', [['Well done 👩‍👩‍👧‍👦', 'all of you 🎉🎉']]],
]

test.each(BREAKS)('%s breaks into lines of similar width', (_script, language, text, lines) => {
  expect(pages(text, language)).toEqual(lines)
})

test('no line is wider than allowed, and no character is lost', () => {
  for (const [, language, text] of BREAKS)
    for (const width of [4, 7, 11, 16, 23, 40]) {
      const lines = pages(text, language, width).flat()
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }
})

test('a short word does not stand alone on the last line', () => {
  expect(pages('It is a very long day of it', 'en', 22)).toEqual([['It is a very', 'long day of it']])
  expect(pages('Extraordinarily long of', 'en', 22)).toEqual([['Extraordinarily', 'long of']])
})

test('what needs more lines becomes pages, which end at pauses', () => {
  const text = 'First we look at it. Then we change a few things, and at the end we look at it again.'
  expect(pages(text)).toEqual([
    ['First we look at it.'],
    ['Then we change', 'a few things,'],
    ['and at the end we', 'look at it again.'],
  ])
})

test('a long text is measured a few times for each word', () => {
  const units = unitsOf(Array.from({ length: 1000 }, (_, index) => 'word'.repeat(1 + (index % 3))).join(' '))
  let count = 0
  const counted = (text: string) => {
    count += 1
    return text.length
  }
  expect(breakLines(units, { maxWidth: 42, maxLines: 2, widthOf: counted }).length).toBeGreaterThan(80)
  expect(count).toBeLessThan(5 * units.length)
})

test('units have the times of their words, or a share of the cue', () => {
  const cue = {
    start: 1,
    end: 5,
    text: 'So we begin',
    words: [
      { text: 'So', start: 1, end: 1.5 },
      { text: 'we begin', start: 2, end: 4 },
    ],
  }
  expect(timeUnits(cue, unitsOf(cue.text)).map(({ text, start, end }) => [text, start, end])).toEqual([
    ['So', 1, 1.5],
    ['we', 2, 2.5],
    ['begin', 2.75, 4],
  ])
  const plain = { start: 0, end: 5, text: 'ab 👩‍🚀d' }
  expect(timeUnits(plain, unitsOf(plain.text)).map(({ start, end }) => [start, end])).toEqual([
    [0, 2],
    [3, 5],
  ])
})
