import { attributeOf } from '../../source/tree.ts'
import { spotInScript } from '../element.ts'
import { example } from '../example.ts'
import type { LintProject } from '../project/project.ts'
import type { LintRule, Spot } from '../rule.ts'

/** Scripts that may add or rename elements, in any way. */
const ADDS_ELEMENTS =
  /createElement|cloneNode|importNode|innerHTML|outerHTML|insertAdjacent|insertBefore|append|prepend|replace(?:With|Child)|classList|className|setAttribute|\.id\s*=|document\.write|customElements|SplitText|attachShadow|render\s*\(|content\b/

/** The ids, classes and tags that an element must have to be part of what a selector matches; null when that is unclear. */
const namesIn = (selector: string): string[] | null => {
  const plain = selector.replaceAll(/\[[^[\]]*\]/g, '')
  if (/[:\\*&|]/.test(plain)) return null
  return plain.match(/[#.]?[\w-]+/g) ?? null
}

/** The names of all elements, as selectors write them. */
const namesOf = ({ files }: LintProject): Set<string> =>
  new Set(
    files
      .flatMap(({ elements }) => elements)
      .flatMap((element) => [
        element.tagName,
        `#${attributeOf(element, 'id')}`,
        ...(attributeOf(element, 'class') ?? '').split(/\s+/).map((name) => `.${name}`),
      ])
      .map((name) => name.toLowerCase()),
  )

function* unmatched(project: LintProject): Generator<Spot> {
  const { files, hosts } = project
  const isKnown =
    hosts.every(({ outcome }) => outcome === 'read') &&
    files.every(({ hasAllScripts, isEntry, templates }) => hasAllScripts && (!isEntry || templates.length === 0)) &&
    !files.some(({ scripts }) => scripts.some(({ facts }) => ADDS_ELEMENTS.test(facts.text)))
  if (!isKnown) return
  const names = namesOf(project)
  const matches = (part: string) => namesIn(part)?.every((name) => names.has(name.toLowerCase())) ?? true
  for (const { scripts } of files)
    for (const script of scripts)
      for (const { selector, line } of script.facts.targets)
        if (selector.trim() !== '' && !selector.split(',').some(matches))
          yield spotInScript(script, line, `No element matches "${selector}", which a tween animates.`)
}

const page = (code: string) =>
  example({ body: `<p id="box">Hello</p>\n<script>\n  ${code.replaceAll('\n', '\n  ')}\n</script>` })

const timeline = `const timeline = gsap.timeline({ paused: true })
timeline.to('#box', { x: 100, duration: 2 })`

/** Rules about animations that move nothing. */
export const motionRules: readonly LintRule[] = [
  {
    name: 'unregistered-timeline',
    severity: 'warning',
    what: 'A paused timeline that is never registered or played.',
    why: 'Nothing seeks it, so its animations do not move.',
    hint: 'Register it: window.__timelines["main"] = timeline, with the data-composition-id of its composition.',
    bad: page(timeline),
    good: page(`${timeline}\nwindow.__timelines = { main: timeline }`),
    *check({ files }) {
      for (const { scripts } of files)
        for (const script of scripts)
          for (const { name, line } of script.facts.unusedTimelines) {
            // A variable of a classic script is seen by all other scripts.
            const isShared = scripts.some(
              (other) => other !== script && new RegExp(`\\b${name.replaceAll('$', '\\$')}\\b`).test(other.facts.text),
            )
            if (!isShared)
              yield spotInScript(script, line, `The timeline "${name}" is paused, and never registered or played.`)
          }
    },
  },
  {
    name: 'unmatched-selector',
    severity: 'warning',
    what: 'A selector of a GSAP tween that no element of the project matches.',
    why: 'The tween has no effect. Files with scripts that add elements are not checked.',
    hint: 'Correct the selector, or give the element that id or class.',
    bad: page(`${timeline.replace('#box', '#bx')}\nwindow.__timelines = { main: timeline }`),
    good: page(`${timeline}\nwindow.__timelines = { main: timeline }`),
    check: unmatched,
  },
]
