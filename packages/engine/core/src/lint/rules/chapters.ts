import { MAX_CHAPTER_TITLE } from '@vid/runtime'
import { attributeOf } from '../../source/tree.ts'
import { readStarts } from '../../timing/start-time.ts'
import { spotAt } from '../element.ts'
import { example } from '../example.ts'
import type { LintProject } from '../project/project.ts'
import type { LintRule, Spot } from '../rule.ts'
import { elementOf } from './timing.ts'

const CHAPTER = 'data-chapter'

const scenes = (first: string, second: string) =>
  example({
    body: `<section data-start="0" data-duration="2" ${first}>Welcome</section>
<section data-start="2" data-duration="2" ${second}>Prices</section>`,
  })

function* unusable({ files }: LintProject): Generator<Spot> {
  for (const { file, elements, root } of files)
    for (const element of elements) {
      const title = attributeOf(element, CHAPTER)
      if (title === null) continue
      if (title.trim() === '') yield spotAt(file, element, 'The title of this chapter is empty.', CHAPTER)
      else if (element === root || attributeOf(element, 'data-start') === null)
        yield spotAt(
          file,
          element,
          `The chapter "${title}" is not on a clip, so that no time of its own begins it.`,
          CHAPTER,
        )
      else if (title.length > MAX_CHAPTER_TITLE)
        yield spotAt(
          file,
          element,
          `The title of this chapter has ${title.length} characters, of which the video has the first ${MAX_CHAPTER_TITLE}.`,
          CHAPTER,
        )
    }
}

function* together({ files }: LintProject): Generator<Spot> {
  for (const file of files)
    for (const { clips } of file.scopes) {
      const titles = new Map<number, string>()
      for (const { clip, start } of readStarts(clips).windows) {
        const element = elementOf(file, clip)
        const title = element && attributeOf(element, CHAPTER)?.trim()
        if (!title || start === null) continue
        const other = titles.get(start)
        if (other === undefined) titles.set(start, title)
        else {
          const message = `The chapters "${other}" and "${title}" both begin at ${Number(start.toFixed(3))} s.`
          yield spotAt(file.file, element, message, CHAPTER)
        }
      }
    }
}

/** Rules about chapters. */
export const chapterRules: readonly LintRule[] = [
  {
    name: 'unusable-chapter',
    severity: 'warning',
    what: 'A `data-chapter` without a title or with more than 200 characters, or on an element without `data-start`.',
    why: 'Without a title there is no chapter, and a longer one is cut. Without a start, the chapter begins with the clip around it, or with the composition.',
    hint: 'Give the attribute a short title, and put it on a clip.',
    bad: scenes('data-chapter="Welcome"', 'data-chapter=""'),
    good: scenes('data-chapter="Welcome"', 'data-chapter="Prices"'),
    check: unusable,
  },
  {
    name: 'chapters-together',
    severity: 'warning',
    what: 'Two chapters that begin at the same time.',
    why: 'Only the first of them is in the video: players show one chapter at a time.',
    hint: 'Remove one of them, or let its clip begin later.',
    bad: example({
      body: `<section data-start="1" data-chapter="Welcome">Welcome</section>
<aside data-start="1" data-chapter="Prices">Prices</aside>`,
    }),
    good: example({
      body: `<section data-start="1" data-chapter="Welcome">Welcome</section>
<aside data-start="2" data-chapter="Prices">Prices</aside>`,
    }),
    check: together,
  },
]
