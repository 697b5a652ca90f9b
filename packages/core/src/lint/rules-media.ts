import { readNumber } from '../source/numbers.ts'
import { attributeOf } from '../source/tree.ts'
import { parseDeclarations } from '../variables/declarations.ts'
import { readObject, spotAt } from './element.ts'
import { example, PICTURE } from './example.ts'
import { referencesOf } from './references.ts'
import type { LintRule } from './rule.ts'

/** What media attributes allow. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  'data-playback-rate': [0.1, 5],
  'data-volume': [0, 3.98],
  'data-media-start': [0, Infinity],
  'data-playback-start': [0, Infinity],
}

const music = (attributes: string) =>
  example({ body: `<audio src="music.mp3" data-start="0" ${attributes}></audio>` }, { 'music.mp3': '' })

const photo = (grading: string) =>
  example({ body: `<img src="photo.svg" data-color-grading='${grading}'>` }, { 'photo.svg': PICTURE })

/** Smaller ones are icons and patterns, which do no harm. */
const MAX_INLINE_CHARACTERS = 4096
const MEDIA = /^data:(image|video|audio|font|application)\/[^,]*;base64,/i

const inlined = (url: string) =>
  `${url.slice(0, url.indexOf(','))},… has ${url.length} characters of media inside the text.`

/** Rules about pictures, video and sound. */
export const mediaRules: readonly LintRule[] = [
  {
    name: 'media-range',
    severity: 'warning',
    what: 'A `data-playback-rate`, `data-volume` or `data-media-start` out of its range.',
    why: 'It is limited to the range, or ignored: the clip does not sound or move as written.',
    hint: 'Write a rate from 0.1 to 5, a volume from 0 to 3.98, a start of 0 or more.',
    bad: music('data-volume="80"'),
    good: music('data-volume="0.8"'),
    *check({ files }) {
      for (const { file, elements } of files)
        for (const element of elements)
          for (const [name, [least, most]] of Object.entries(RANGES)) {
            const text = attributeOf(element, name)
            const value = readNumber(text)
            if (text !== null && (value === null || value < least || value > most))
              yield spotAt(
                file,
                element,
                `${name}="${text}" is not a number from ${least}${most === Infinity ? '' : ` to ${most}`}.`,
                name,
              )
          }
    },
  },
  {
    name: 'color-grading-json',
    severity: 'error',
    what: 'A `data-color-grading` that is not a JSON object.',
    why: 'The picture is shown without any grading.',
    hint: 'Write a JSON object such as { "preset": "warm-daylight" }; in HTML, put single quotes around it.',
    bad: photo('warm-daylight'),
    good: photo('{ "preset": "warm-daylight" }'),
    *check({ files }) {
      for (const { file, elements } of files)
        for (const element of elements) {
          const text = attributeOf(element, 'data-color-grading')
          const read = text === null ? null : readObject(text)
          if (read && 'reason' in read)
            yield spotAt(
              file,
              element,
              `data-color-grading is unusable: ${read.reason}`,
              'data-color-grading',
            )
        }
    },
  },
  {
    name: 'missing-asset',
    severity: 'error',
    what: 'A picture, video, sound, script, style sheet or font that is not in the project.',
    why: 'It is missing in the video.',
    hint: 'Correct the path, or put the file there; links that leave the project are not followed.',
    bad: example({ body: '<img src="logo.svg">' }),
    good: example({ body: '<img src="logo.svg">' }, { 'logo.svg': PICTURE }),
    *check(project) {
      for (const { spot, url, from } of referencesOf(project)) {
        const path = project.fileOf(from, url)
        if (path === null || project.has(path)) continue
        const where = path.startsWith('..') ? 'outside the project' : 'not there'
        yield { ...spot, message: `"${url}" means the file "${path}", which is ${where}.` }
      }
    },
  },
  {
    name: 'inlined-media',
    severity: 'warning',
    what: 'Media as base64: in a variable, or more than a small icon in an attribute or a style sheet.',
    why: 'It is a third larger, is copied with every plan and request, and reaches their limits.',
    hint: 'Put it into a file and refer to it; give media in variables as URLs.',
    bad: example({
      html: `data-composition-variables='[{ "id": "logo", "type": "string", "label": "Logo", "default": "data:image/png;base64,iVBORw0KGgo=" }]'`,
    }),
    good: example({
      html: `data-composition-variables='[{ "id": "logo", "type": "string", "label": "Logo", "default": "logo.png" }]'`,
    }),
    *check(project) {
      for (const { spot, url } of referencesOf(project))
        if (MEDIA.test(url) && url.length > MAX_INLINE_CHARACTERS) yield { ...spot, message: inlined(url) }
      for (const { file, elements } of project.files)
        for (const element of elements) {
          const values = Object.entries({
            'data-composition-variables': parseDeclarations(
              attributeOf(element, 'data-composition-variables'),
            ).map((declaration) => declaration.default),
            'data-variable-values': valuesIn(attributeOf(element, 'data-variable-values')),
          })
          for (const [name, texts] of values)
            for (const text of texts)
              if (typeof text === 'string' && MEDIA.test(text))
                yield spotAt(file, element, inlined(text), name)
        }
    },
  },
]

function valuesIn(json: string | null): readonly unknown[] {
  const read = json === null ? null : readObject(json)
  return read && 'value' in read ? Object.values(read.value) : []
}
