import { checkSuite, compositionFacts } from '@vid/testkit'
import { describe, expect, test } from 'vitest'
import { contrast } from './contrast-rule.ts'
import { flash } from './flash-rule.ts'
import { squeezedImage, upscaledImage } from './image-rules.ts'
import { cutAnimation, jump } from './motion-rules.ts'
import { fallbackFont, missingFile, missingGlyph, scriptError, slowPage, unregisteredTimeline } from './page-rules.ts'
import { emptyPicture, frozenPicture, videoTooShort } from './picture-rules.ts'
import { textSafeArea } from './safe-area-rule.ts'
import { clipping, cutSound, loudness, maskedSpeech, silence } from './sound-rules.ts'
import { textCovered } from './text-covered-rule.ts'
import { textCut } from './text-cut-rule.ts'
import { textOverlap } from './text-overlap-rule.ts'
import { textSmall } from './text-small-rule.ts'

const right = compositionFacts({ texts: [{}] })

const problem = (code: string) =>
  compositionFacts({ problems: [{ code, message: 'It broke.', frames: null, file: null, line: null }] })

checkSuite(scriptError, { wrong: problem('VID_SCRIPT_ERROR'), right: problem('VID_ASSET_FAILED') })
checkSuite(missingFile, { wrong: problem('VID_ASSET_FAILED'), right: problem('VID_SCRIPT_ERROR') })
checkSuite(missingGlyph, { wrong: problem('VID_LETTERS_MISSING'), right })
checkSuite(missingGlyph, {
  wrong: compositionFacts({ texts: [{ text: 'CafÃ© du Nord' }] }),
  right: compositionFacts({ texts: [{ text: 'Café du Nord' }] }),
})
checkSuite(fallbackFont, { wrong: compositionFacts({ texts: [{ missingFamily: 'Brand Sans' }] }), right })
checkSuite(unregisteredTimeline, {
  wrong: compositionFacts({
    source: [{ rule: 'unregistered-timeline', file: 'index.html', line: 3, message: 'It stands still.', hint: 'Go.' }],
  }),
  right,
})
checkSuite(slowPage, {
  wrong: compositionFacts({ timings: [{ frames: [0, 15], ms: 900 }] }),
  right: compositionFacts({ timings: [{ frames: [0, 15], ms: 20 }] }),
})

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })

checkSuite(textCut, {
  wrong: compositionFacts({ texts: [{ visible: box(100, 100, 150, 48), clippedBy: '.card' }] }),
  right,
})
checkSuite(textOverlap, {
  wrong: compositionFacts({ elements: [{}, {}], texts: [{}, { element: 1, block: 1, text: 'Other' }] }),
  right: compositionFacts({
    elements: [{}, {}],
    texts: [
      {},
      {
        element: 1,
        block: 1,
        text: 'Other',
        frames: [0, 60],
        lines: [box(100, 200, 200, 48)],
        visible: box(100, 200, 200, 48),
      },
    ],
  }),
})
/** Three lines of a paragraph, this far from each other. */
const paragraph = (distance: number) =>
  compositionFacts({ texts: [{ lines: [0, 1, 2].map((line) => box(100, 100 + line * distance, 200, 48)) }] })
checkSuite(textOverlap, { wrong: paragraph(18), right: paragraph(34) })
checkSuite(textCovered, {
  wrong: compositionFacts({ texts: [{ covered: 0.4, coveredBy: '.card', isCoverSure: true }] }),
  right,
})
checkSuite(textSmall, { wrong: compositionFacts({ texts: [{ fontSize: 6 }] }), right })
checkSuite(textSafeArea, {
  wrong: compositionFacts({ texts: [{ lines: [box(4, 100, 200, 48)], visible: box(4, 100, 200, 48) }] }),
  right,
})

const contrastOf = (ratio: number) =>
  compositionFacts({
    contrasts: [
      {
        element: 0,
        frames: [0, 60],
        frame: 30,
        box: box(100, 100, 200, 48),
        ratio,
        seen: 1,
        color: '#777777',
        background: '#888888',
        fontSize: 16,
        isBold: false,
      },
    ],
  })
checkSuite(contrast, { wrong: contrastOf(1.3), right: contrastOf(8) })

const flat = (frame: number, color: string | null, light = 0.5) => ({
  frame,
  flat: color,
  luminance: [light],
  red: [0],
})
checkSuite(emptyPicture, { wrong: compositionFacts({ pictures: [flat(0, '#000000'), flat(30, null)] }), right })
checkSuite(frozenPicture, {
  wrong: compositionFacts({ frames: 300, states: [{ frames: [0, 300], isMoving: false }] }),
  right: compositionFacts({ frames: 300, states: [{ frames: [0, 300], isMoving: true }] }),
})
const flashing = (every: number) =>
  compositionFacts({
    pictures: Array.from({ length: Math.floor(60 / every) }, (_, index) =>
      flat(index * every, null, index % 2 === 0 ? 0.1 : 0.9),
    ),
  })
checkSuite(flash, { wrong: flashing(3), right: flashing(10) })

const image = (drawnWidth: number, drawnHeight: number) =>
  compositionFacts({
    images: [
      {
        element: 0,
        frames: [0, 60],
        kind: 'image',
        src: 'photo.jpg',
        box: box(0, 0, drawnWidth, drawnHeight),
        naturalWidth: 320,
        naturalHeight: 180,
        drawnWidth,
        drawnHeight,
      },
    ],
  })
checkSuite(upscaledImage, { wrong: image(640, 360), right: image(320, 180) })
checkSuite(squeezedImage, { wrong: image(320, 240), right: image(320, 180) })

const media = (sourceDuration: number, kind: 'video' | 'audio' = 'video') => ({
  kind,
  src: 'media/talk.mp4',
  element: 0,
  start: 0,
  end: 2,
  mediaStart: 0,
  sourceDuration,
  rate: 1,
  isLooped: false,
})
checkSuite(videoTooShort, {
  wrong: compositionFacts({ media: [media(1)] }),
  right: compositionFacts({ media: [media(2)] }),
})

const path = (at: (frame: number) => number) => ({
  element: 0,
  steps: Array.from({ length: 60 }, (_, frame) => ({ frame, opacity: 1, ...box(at(frame), 100, 40, 40) })),
})
checkSuite(jump, {
  wrong: compositionFacts({ paths: [path((frame) => (frame < 30 ? frame : frame + 200))] }),
  right: compositionFacts({ paths: [path((frame) => frame * 3)] }),
})
const motion = (end: number) =>
  compositionFacts({
    clips: [{ name: 'badge', element: 0, start: 0, end: 1 }],
    motions: [{ target: '#badge', kind: 'css', properties: ['left'], start: 0, end, clip: 0, element: 0 }],
    paths: [path((frame) => Math.min(frame, 30))],
  })
checkSuite(cutAnimation, { wrong: motion(1.8), right: motion(1) })

const sound = (facts: object) =>
  compositionFacts({
    media: [media(2, 'audio'), media(2, 'audio')],
    sound: { integrated: -16, truePeak: -3, truePeakAt: 1, truePeaks: [null, -3], silent: [], voices: [], ...facts },
  })
const voice = (index: number, level: number, facts: object = {}) => ({
  media: index,
  isSpeech: index === 0,
  levels: Array(20).fill(level),
  bandLevels: Array(20).fill(level),
  endLevel: -60,
  ...facts,
})
checkSuite(silence, { wrong: sound({ silent: [{ start: 0, end: 2 }] }), right: sound({}) })
checkSuite(clipping, { wrong: sound({ truePeaks: [null, 1.2] }), right: sound({}) })
checkSuite(loudness, { options: { target: -23 }, wrong: sound({}), right: sound({ integrated: -23.2 }) })
checkSuite(maskedSpeech, {
  wrong: sound({ voices: [voice(0, -30), voice(1, -20)] }),
  right: sound({ voices: [voice(0, -20), voice(1, -40)] }),
})
const ending = (endLevel: number) =>
  compositionFacts({
    ...sound({ voices: [voice(0, -20, { endLevel })] }),
    elements: [{}],
    texts: [],
    media: [media(9, 'audio')],
  })
checkSuite(cutSound, { wrong: ending(-12), right: ending(-50) })

describe('flashes', () => {
  test('what moves turns parts of the picture at different times, and is no flash', () => {
    const stripes = compositionFacts({
      grid: { columns: 24, rows: 1 },
      pictures: Array.from({ length: 60 }, (_, frame) => ({
        frame,
        flat: null,
        luminance: Array.from({ length: 24 }, (_, cell) => ((cell + frame) % 4 < 2 ? 0.1 : 0.9)),
        red: Array(24).fill(0),
      })),
    })
    expect([...flash().check(stripes, { red: true })]).toEqual([])
  })
})

describe('a text that was seen and is covered', () => {
  const sum = [
    { frames: [0, 20] as const },
    { frames: [24, 60] as const, covered: 1, coveredBy: '.panel', isCoverSure: true },
  ]
  const label = { element: 1, block: 1, text: 'Paid so far', visible: box(100, 200, 200, 48) }
  const find = (texts: Parameters<typeof compositionFacts>[0]) => [...textCovered().check(compositionFacts(texts), {})]

  test('is lost where the rest of its scene is seen', () => {
    expect(find({ elements: [{}, {}], texts: [...sum, label] })).toMatchObject([{ frames: [24, 60], element: 0 }])
  })

  test('is lost where the surface covers the rest of its scene in part', () => {
    const inPart = { ...label, frames: [24, 60] as const, covered: 0.25, coveredBy: '.panel', isCoverSure: true }
    const findings = find({ elements: [{}, {}], texts: [...sum, { ...label, frames: [0, 24] as const }, inPart] })
    expect(findings.map(({ element }) => element)).toEqual([0, 1])
  })

  test.each([
    ['the rest of its scene is covered too', [...sum, { ...label, frames: [0, 24] as const }]],
    [
      'another text comes in its place',
      [...sum, label, { element: 2, block: 2, text: 'Next', frames: [30, 60] as const }],
    ],
    ['it is covered for a moment', [sum[0] ?? {}, { ...sum[1], frames: [24, 40] as const }, label]],
  ])('is over where %s', (_, texts) => {
    expect(find({ elements: [{}, {}, {}], texts })).toEqual([])
  })
})

describe('a sound of which nothing is heard', () => {
  const find = (facts: object) => [
    ...silence().check(
      { ...sound({ voices: [voice(0, -Infinity)] }), media: [{ ...media(2, 'audio'), ...facts }] },
      { seconds: 2 },
    ),
  ]

  test('is found where its file is silent', () => {
    expect(find({ volume: 1 })).toMatchObject([{ element: 0, message: expect.stringContaining('silent') }])
  })

  test('is meant where it is muted', () => {
    expect(find({})).toEqual([])
    expect(find({ volume: 0 })).toEqual([])
  })
})
