import { placeOf } from '../../nesting/nested-host.ts'
import { isDrawn, isPage } from '../../source/element-kinds.ts'
import { readNumber } from '../../source/numbers.ts'
import { readLength, requireDrawn, requireDuration, requireSide } from '../../source/parse.ts'
import { declaredShapes } from '../../source/shaped-text.ts'
import { attributeOf, descendants, type Element } from '../../source/tree.ts'
import { spotAt, thrownBy } from '../element.ts'
import { example, ROOT } from '../example.ts'
import type { LintFile, LintProject } from '../project/project.ts'
import type { LintRule } from '../rule.ts'

const good = example({})
const rootOf = ({ files: [entry] }: LintProject) => {
  const root = entry?.root
  return entry && root ? { file: entry.file, root, place: placeOf(root, entry.file) } : null
}

/** Whether something in a page may say how long it is; every script may, and every file of another host. */
const mayHaveLength = ({ elements, root, sheets }: LintFile): boolean =>
  elements.some(
    (element) =>
      /^(script|link|video|audio|animate.*|set|iframe|object|embed|img|template)$/i.test(element.tagName) ||
      (element !== root &&
        element.attrs.some(({ name }) => /^data-(start|duration|end|composition|anim)/.test(name))) ||
      /animation|transition/i.test(attributeOf(element, 'style') ?? ''),
  ) || sheets.some(({ sheet, problem }) => problem !== null || /animation|transition|@import/i.test(sheet.toString()))

/** Rules about the composition's root and about composition ids. */
export const rootRules: readonly LintRule[] = [
  {
    name: 'no-root',
    severity: 'error',
    what: 'An entry file without a composition.',
    why: 'There is nothing to render.',
    hint: 'Put data-composition-id="main" on the element that holds the composition.',
    bad: {
      'index.html': '<!doctype html>\n<html>\n  <body>\n    <div id="main">Hello</div>\n  </body>\n</html>\n',
    },
    good,
    *check({ files: [entry] }) {
      if (!entry || entry.root !== null) return
      yield { file: entry.file, line: 1, selector: null, message: `${entry.file} has no composition root.` }
    },
  },
  {
    name: 'no-size',
    severity: 'error',
    what: 'A root whose `data-width` or `data-height` is missing or is not a whole number of pixels.',
    why: 'The size is read from the source text before scripts run; without it, rendering is impossible.',
    hint: 'Write data-width="1920" data-height="1080" on the root.',
    bad: example({ root: ROOT.replace(' data-height="180"', '') }),
    good,
    *check(project) {
      const top = rootOf(project)
      for (const name of ['data-width', 'data-height'] as const) {
        const failure = top && thrownBy(() => requireSide(top.root, name, top.place))
        if (failure) yield { ...spotAt(top.file, top.root, failure.message, name), hint: failure.hint }
      }
    },
  },
  {
    name: 'bad-shapes',
    severity: 'error',
    what: 'A `data-shapes` of the root that is not a list of shapes such as `16:9,9:16`.',
    why: 'A render in a shape is refused, since nobody knows whether the composition has it.',
    hint: 'Write data-shapes="16:9,9:16,1:1" on the root, or omit the attribute to take any shape.',
    bad: example({ root: `${ROOT} data-shapes="16:9 9:16"` }),
    good: example({ root: `${ROOT} data-shapes="16:9,9:16"` }),
    *check(project) {
      const top = rootOf(project)
      const failure = top && thrownBy(() => declaredShapes(top.root, top.place))
      if (failure) yield spotAt(top.file, top.root, failure.message, 'data-shapes')
    },
  },
  {
    name: 'undrawn-root',
    severity: 'error',
    what: 'A root whose element browsers never draw, such as `<meta>`.',
    why: 'The root is the picture, so the video would be empty.',
    hint: 'Move data-composition-id, data-width and data-height to the element of the <body> that holds the composition.',
    bad: {
      'index.html': `<!doctype html>\n<html>\n  <head>\n    <meta ${ROOT}>\n  </head>\n  <body>\n    <p>Hello</p>\n  </body>\n</html>\n`,
    },
    good: example({ body: '<p>Hello</p>' }),
    *check(project) {
      const top = rootOf(project)
      const failure = top && thrownBy(() => requireDrawn(top.root, top.place))
      if (failure) yield { ...spotAt(top.file, top.root, failure.message), hint: failure.hint }
    },
  },
  {
    name: 'bad-duration',
    severity: 'error',
    what: 'A `data-duration` of the root that is not a finite number of seconds above 0.',
    why: 'The duration is read from the source text before scripts run, and this value is not a valid duration.',
    hint: 'Write data-duration="10" on the root, or omit the attribute to use the duration of its timeline.',
    bad: example({ root: ROOT.replace('"4"', '"4s"') }),
    good,
    *check(project) {
      const top = rootOf(project)
      const length = top && readLength(top.root)
      if (top === null || length === null) return
      const failure = thrownBy(() => requireDuration(readNumber(length), `"${length}"`, top.place))
      if (failure) yield spotAt(top.file, top.root, failure.message, 'data-duration')
    },
  },
  {
    name: 'no-length',
    severity: 'error',
    what: 'A root without `data-duration` in a page without anything that determines its length.',
    why: 'Without the attribute, the length is that of the timelines, media, embedded files, clips or animations; this page has none.',
    hint: 'Write data-duration="10" on the root.',
    bad: example({ root: ROOT.replace(' data-duration="4"', ''), body: '<p>Hello</p>' }),
    good: example({ body: '<p>Hello</p>' }),
    *check(project) {
      const top = rootOf(project)
      const [entry] = project.files
      if (!top || !entry || readLength(top.root) !== null || mayHaveLength(entry)) return
      yield spotAt(
        top.file,
        top.root,
        `The composition root ${top.place.element} has no data-duration, and nothing in the page has a length.`,
      )
    },
  },
  {
    name: 'no-composition-id',
    severity: 'warning',
    what: 'A root that is marked with `data-root` and has no `data-composition-id`.',
    why: 'Timelines are assigned to compositions by id; without an id this works only for a single timeline.',
    hint: 'Write data-composition-id="main" on the root.',
    bad: example({ root: ROOT.replace('data-composition-id="main"', 'data-root="true"') }),
    good,
    *check(project) {
      const top = rootOf(project)
      if (top && !attributeOf(top.root, 'data-composition-id'))
        yield spotAt(top.file, top.root, `The composition root ${top.place.element} has no data-composition-id.`)
    },
  },
  {
    name: 'second-root',
    severity: 'warning',
    what: 'A composition beside the root, neither inside it nor around it.',
    why: 'A file has one root, the first composition. It determines the size and length of the video, and content beside it may not be visible.',
    hint: 'Move it into another file and embed that with data-composition-src, or move it into the root.',
    bad: {
      'index.html': `<!doctype html>\n<html>\n  <body>\n    <div ${ROOT}></div>\n    <div data-composition-id="second"></div>\n  </body>\n</html>\n`,
    },
    good: example({ body: '<div data-composition-id="second" data-start="0" data-duration="2"></div>' }),
    *check(project) {
      const top = rootOf(project)
      const [entry] = project.files
      // With data-root, the author has chosen.
      if (!top || !entry || attributeOf(top.root, 'data-root') !== null) return
      const related = new Set<Element>(descendants(top.root))
      const isAround = (element: Element) => [...descendants(element)].includes(top.root)
      for (const element of entry.elements)
        if (
          attributeOf(element, 'data-composition-id') !== null &&
          element !== top.root &&
          isDrawn(element) &&
          !related.has(element) &&
          !isAround(element)
        )
          yield spotAt(
            top.file,
            element,
            `This composition is beside the root ${top.place.element}, which alone is rendered.`,
          )
    },
  },
  {
    name: 'duplicate-composition-id',
    severity: 'error',
    what: 'Two compositions of one file with the same `data-composition-id`.',
    why: 'Timelines and starts refer to a composition by this id, and always find the first one.',
    hint: 'Use a different id for each; the same file may be embedded under several ids.',
    bad: example({
      body: '<div data-composition-id="title" data-start="0" data-duration="2"></div>\n<div data-composition-id="title" data-start="2" data-duration="2"></div>',
    }),
    good: example({
      body: '<div data-composition-id="title" data-start="0" data-duration="2"></div>\n<div data-composition-id="subtitle" data-start="2" data-duration="2"></div>',
    }),
    *check({ files }) {
      for (const { file, root, elements } of files) {
        const seen = new Map<string, number>()
        for (const element of elements) {
          const id = attributeOf(element, 'data-composition-id')
          // What only names the composition of the file is none of its own.
          if (!id || (element !== root && (isPage(element) || !isDrawn(element)))) continue
          const first = seen.get(id)
          const spot = spotAt(file, element, `The composition id "${id}" is already used in line ${first}.`)
          if (first === undefined) seen.set(id, spot.line)
          else yield spot
        }
      }
    },
  },
]
