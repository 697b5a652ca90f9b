import { readLength } from '../../source/parse.ts'
import { attributeOf } from '../../source/tree.ts'
import { spotInScript } from '../element.ts'
import { example } from '../example.ts'
import type { LintFile, LintProject } from '../project/project.ts'
import type { LintRule, Spot } from '../rule.ts'

function* scriptsOf({ files }: LintProject) {
  for (const owner of files) for (const script of owner.scripts) yield { owner, script }
}

const script = (code: string, more: { readonly root?: string; readonly body?: string } = {}) =>
  example({
    ...more,
    body: `${more.body ?? '<p id="box">Hello</p>'}\n<script>\n  ${code.replaceAll('\n', '\n  ')}\n</script>`,
  })

/** Ids under which the scripts of a file may register timelines. */
const idsFor = ({ hosts }: LintProject, { file, elements, root }: LintFile): Set<string> => {
  const declared = elements.flatMap((element) => attributeOf(element, 'data-composition-id') || [])
  const hosted = hosts.flatMap((host) =>
    host.file === file ? attributeOf(host.element, 'data-composition-id') || [] : [],
  )
  const fallback = root && !attributeOf(root, 'data-composition-id') ? [attributeOf(root, 'id') || 'root'] : []
  return new Set([...declared, ...hosted, ...fallback])
}

function* wrongTimelines(project: LintProject): Generator<Spot> {
  for (const file of project.files) {
    const ids = idsFor(project, file)
    const registered = file.scripts.flatMap((script) =>
      script.facts.timelines.map(({ key, line }) => ({ script, key, line })),
    )
    const listed = [...ids].map((id) => `"${id}"`).join(', ') || 'none'
    for (const { script, key, line } of registered)
      if (key !== null && !ids.has(key)) {
        const message = `No composition of ${file.file} has the id of the timeline "${key}"; its ids: ${listed}.`
        // A single timeline is used for the root under any id.
        const severity = registered.length === 1 ? 'warning' : 'error'
        yield { ...spotInScript(script, line, message), severity }
      }
  }
}

const timeline = `const timeline = gsap.timeline({ paused: true })
timeline.to('#box', { x: 100, duration: 2 })`
const pulse = (repeat: string) => `const timeline = gsap.timeline({ paused: true })
timeline.to('#box', { x: 100, duration: 1, repeat: ${repeat}, yoyo: true })
window.__timelines = { main: timeline }`

/** Rules about scripts, from their text alone. */
export const scriptRules: readonly LintRule[] = [
  {
    name: 'script-syntax',
    severity: 'error',
    what: 'A script with a syntax error.',
    why: 'None of the script runs, so its timelines and variables do not exist.',
    hint: 'Correct the script at that line.',
    bad: script(`document.querySelector('#box').textContent = 'Hello`),
    good: script(`document.querySelector('#box').textContent = 'Hello'`),
    *check(project) {
      for (const { script } of scriptsOf(project)) {
        const { problem } = script.facts
        if (problem) yield spotInScript(script, problem.line, `The script cannot be parsed: ${problem.reason}.`)
      }
    },
  },
  {
    name: 'unknown-timeline',
    severity: 'error',
    what: 'A timeline registered under an id that no composition of the file has.',
    why: 'The timeline is never seeked, so its animations do not move. A single timeline is used for the root under any id; then this is only a warning.',
    hint: 'Register it under the data-composition-id of its composition.',
    bad: script(`${timeline}\nwindow.__timelines = window.__timelines || {}\nwindow.__timelines['intro'] = timeline`),
    good: script(`${timeline}\nwindow.__timelines = window.__timelines || {}\nwindow.__timelines['main'] = timeline`),
    check: wrongTimelines,
  },
  {
    name: 'endless-repeat',
    severity: 'warning',
    what: 'An animation that repeats forever.',
    why: 'Its timeline never ends. Without data-duration the composition has no end either, which is an error.',
    hint: 'Repeat it only for the length of the composition: repeat: Math.ceil(seconds / duration) - 1.',
    bad: script(pulse('-1')),
    good: script(pulse('3')),
    *check(project) {
      for (const { owner, script } of scriptsOf(project)) {
        const isOpen = owner.isEntry && owner.root !== null && readLength(owner.root) === null
        for (const line of script.facts.endlessRepeats)
          yield {
            ...spotInScript(
              script,
              line,
              `An animation repeats forever${isOpen ? ', and the root has no data-duration' : ''}.`,
            ),
            ...(isOpen && { severity: 'error' as const }),
          }
      }
    },
  },
  {
    name: 'network-call',
    severity: 'warning',
    what: 'A script that makes network requests.',
    why: 'A render does not wait for the network, and the response may differ between machines and days.',
    hint: 'Put the data into a project file, or pass it as a variable.',
    bad: script(`fetch('https://example.com/prices.json').then((reply) => reply.json())`),
    good: example(
      {
        body: `<p id="box">Hello</p>\n<script>\n  fetch('prices.json').then((reply) => reply.json())\n</script>`,
      },
      { 'prices.json': '[]\n' },
    ),
    *check(project) {
      for (const { script } of scriptsOf(project))
        for (const { call, line } of script.facts.networkCalls)
          yield spotInScript(script, line, `${call} may make a network request.`)
    },
  },
  {
    name: 'hyperframes-project',
    severity: 'warning',
    what: 'A script that asks the player of HyperFrames for values.',
    why: 'Only a player of HyperFrames has `__hyperframes`: in a render, the script gets nothing, and draws what it has without.',
    hint: 'Make the project one of vid with `vid import hyperframes FOLDER`.',
    bad: script('const { title } = window.__hyperframes.getVariables()'),
    good: script('const { title } = __vid.getVariables()'),
    *check(project) {
      for (const { script } of scriptsOf(project)) {
        const offset = script.facts.text.search(/\b__hyperframes\b/)
        if (offset < 0) continue
        const line = script.facts.text.slice(0, offset).split('\n').length
        yield spotInScript(script, line, 'The script reads __hyperframes, which only a player of HyperFrames has.')
      }
    },
  },
  {
    name: 'live-sound',
    severity: 'warning',
    what: 'A script that analyses a sound while it is played.',
    why: 'An audio context plays by the real clock and not by that of the video. An analyser reports silence, so that a visualiser draws a flat line in every render.',
    hint: 'Decode the sound with decodeAudioData(), or compute it in an OfflineAudioContext, and draw the samples of the time of the frame.',
    bad: script(`const context = new AudioContext()
const analyser = context.createAnalyser()
const levels = new Uint8Array(analyser.frequencyBinCount)
requestAnimationFrame(function draw() {
  analyser.getByteFrequencyData(levels)
  document.querySelector('#box').style.height = levels[0] + 'px'
  requestAnimationFrame(draw)
})`),
    good: script(`const context = new OfflineAudioContext(1, 48000, 48000)
new OscillatorNode(context).connect(context.destination)
context.startRendering().then((sound) => {
  const samples = sound.getChannelData(0)
  addEventListener('vid-seek', ({ detail }) => {
    document.querySelector('#box').style.height = 100 * samples[Math.floor(detail.time * 48000)] + 'px'
  })
})`),
    *check(project) {
      for (const { script } of scriptsOf(project))
        for (const { call, line } of script.facts.liveSounds)
          yield spotInScript(
            script,
            line,
            `${call} hears nothing in a video: an audio context plays by the real clock.`,
          )
    },
  },
]
