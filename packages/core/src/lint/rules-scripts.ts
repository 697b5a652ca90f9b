import { readLength } from '../source/parse.ts'
import { attributeOf } from '../source/tree.ts'
import { example } from './example.ts'
import type { LintFile, LintProject } from './project.ts'
import type { LintScript } from './project-scripts.ts'
import type { LintRule, Spot } from './rule.ts'

const inScript = ({ file, line }: LintScript, at: number, message: string): Spot => ({
  file,
  line: line + at - 1,
  selector: null,
  message,
})

function* scriptsOf({ files }: LintProject) {
  for (const owner of files) for (const script of owner.scripts) yield { owner, script }
}

const script = (code: string, more: { readonly root?: string; readonly body?: string } = {}) =>
  example({
    ...more,
    body: `${more.body ?? '<p id="box">Hello</p>'}\n<script>\n  ${code.replaceAll('\n', '\n  ')}\n</script>`,
  })

/** The ids under which a script of a file may register timelines. */
const idsFor = ({ hosts }: LintProject, { file, elements, root }: LintFile): Set<string> => {
  const own = elements.flatMap((element) => attributeOf(element, 'data-composition-id') || [])
  const given = hosts.flatMap((host) =>
    host.file === file ? attributeOf(host.element, 'data-composition-id') || [] : [],
  )
  const fallback =
    root && !attributeOf(root, 'data-composition-id') ? [attributeOf(root, 'id') || 'root'] : []
  return new Set([...own, ...given, ...fallback])
}

function* wrongTimelines(project: LintProject): Generator<Spot> {
  for (const file of project.files) {
    const ids = idsFor(project, file)
    const registered = file.scripts.flatMap((each) =>
      each.facts.timelines.map(({ key, line }) => ({ each, key, line })),
    )
    const known = [...ids].map((id) => `"${id}"`).join(', ') || 'none'
    for (const { each, key, line } of registered)
      if (key !== null && !ids.has(key)) {
        const message = `The timeline "${key}" belongs to no composition of ${file.file}; its ids: ${known}.`
        // A single one serves the root all the same.
        const severity = registered.length === 1 ? 'warning' : 'error'
        yield { ...inScript(each, line, message), severity }
      }
  }
}

const timeline = `const timeline = gsap.timeline({ paused: true })
timeline.to('#box', { x: 100, duration: 2 })`
const pulse = (repeat: string) => `const timeline = gsap.timeline({ paused: true })
timeline.to('#box', { x: 100, duration: 1, repeat: ${repeat}, yoyo: true })
window.__timelines = { main: timeline }`

/** Rules about scripts, read without running them. */
export const scriptRules: readonly LintRule[] = [
  {
    name: 'script-syntax',
    severity: 'error',
    what: 'A script that is not JavaScript.',
    why: 'None of it runs: no timeline, no variables.',
    hint: 'Correct the script at that line.',
    bad: script(`document.querySelector('#box').textContent = 'Hello`),
    good: script(`document.querySelector('#box').textContent = 'Hello'`),
    *check(project) {
      for (const { script: each } of scriptsOf(project)) {
        const { problem } = each.facts
        if (problem) yield inScript(each, problem.line, `The script cannot be read: ${problem.reason}.`)
      }
    },
  },
  {
    name: 'unknown-timeline',
    severity: 'error',
    what: 'A timeline that is registered under an id that no composition of the file has.',
    why: 'It is never seeked, so nothing of it moves. A single one under another id serves the root; that is a warning.',
    hint: 'Register it under the data-composition-id of its composition.',
    bad: script(
      `${timeline}\nwindow.__timelines = window.__timelines || {}\nwindow.__timelines['intro'] = timeline`,
    ),
    good: script(
      `${timeline}\nwindow.__timelines = window.__timelines || {}\nwindow.__timelines['main'] = timeline`,
    ),
    check: wrongTimelines,
  },
  {
    name: 'endless-repeat',
    severity: 'warning',
    what: 'An animation that repeats for ever.',
    why: 'A timeline with it has no end: a composition without data-duration cannot be rendered, and that is an error.',
    hint: 'Repeat as often as the composition is long: repeat: Math.ceil(seconds / duration) - 1.',
    bad: script(pulse('-1')),
    good: script(pulse('3')),
    *check(project) {
      for (const { owner, script: each } of scriptsOf(project)) {
        const isOpen = owner.isEntry && owner.root !== null && readLength(owner.root) === null
        for (const line of each.facts.endlessRepeats)
          yield {
            ...inScript(
              each,
              line,
              `An animation repeats for ever${isOpen ? ', and the root has no data-duration' : ''}.`,
            ),
            ...(isOpen && { severity: 'error' as const }),
          }
      }
    },
  },
  {
    name: 'network-call',
    severity: 'warning',
    what: 'A script that asks the network while it runs.',
    why: 'A render does not wait for the network, and what comes back may differ from machine to machine and from day to day.',
    hint: 'Put the data into a file of the project, or pass it as a variable.',
    bad: script(`fetch('https://example.com/prices.json').then((reply) => reply.json())`),
    good: example(
      {
        body: `<p id="box">Hello</p>\n<script>\n  fetch('prices.json').then((reply) => reply.json())\n</script>`,
      },
      { 'prices.json': '[]\n' },
    ),
    *check(project) {
      for (const { script: each } of scriptsOf(project))
        for (const { call, line } of each.facts.networkCalls)
          yield inScript(each, line, `${call} may ask the network.`)
    },
  },
]
