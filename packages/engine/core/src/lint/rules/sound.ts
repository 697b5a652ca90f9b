import { readBusVolumes, readSoundAttributes } from '@vid/runtime'
import { fitsSelectors } from '../../source/selector.ts'
import { attributeOf, type Element, labelOf } from '../../source/tree.ts'
import { spotAt, spotInScript } from '../element.ts'
import { example } from '../example.ts'
import type { LintProject } from '../project/project.ts'
import type { LintRule, Spot } from '../rule.ts'

const files = { 'music.mp3': '', 'voice.mp3': '' }

const sounds = (music: string, { more = '' } = {}) =>
  example(
    {
      body: `<audio id="music" src="music.mp3" data-start="0" ${music}></audio>
<audio id="voice" src="voice.mp3" data-start="1"></audio>${more}`,
    },
    files,
  )

const isMedia = ({ tagName }: Element): boolean => tagName === 'audio' || tagName === 'video'

/** The attributes that a script's volume replaces. */
const REPLACED = ['data-fade-in', 'data-fade-out'] as const

const hasKeyframes = (element: Element): boolean => attributeOf(element, 'data-volume')?.includes(':') ?? false

function* unusable({ files }: LintProject): Generator<Spot> {
  for (const { file, elements } of files)
    for (const element of elements) {
      const volumes = attributeOf(element, 'data-bus-volumes')
      if (volumes !== null && !readBusVolumes(volumes)) {
        const message = `data-bus-volumes="${volumes}" is not a list of "bus:gain", such as music:0.5, voice:1.`
        yield spotAt(file, element, message, 'data-bus-volumes')
      }
      if (!isMedia(element)) continue
      for (const { name, value, expected } of readSoundAttributes((name) => attributeOf(element, name)).problems)
        yield spotAt(file, element, `${name}="${value}" is not ${expected}.`, name)
    }
}

function* withoutTarget({ files }: LintProject): Generator<Spot> {
  const media = files.flatMap(({ elements }) => elements.filter(isMedia))
  for (const { file, elements, hasAllScripts } of files)
    for (const element of elements.filter(isMedia)) {
      const under = attributeOf(element, 'data-duck-under')
      const other = ['data-duck', 'data-duck-attack', 'data-duck-release'].find(
        (name) => attributeOf(element, name) !== null,
      )
      if (under === null && other)
        yield spotAt(
          file,
          element,
          `${other} has no effect without data-duck-under, the tracks to lower it under.`,
          other,
        )
      // Scripts may add elements, and some selectors need a page to be decided.
      const isUnmatched = media.every((track) => track === element || fitsSelectors(under ?? '', track) === false)
      if (under?.trim() && hasAllScripts && isUnmatched)
        yield spotAt(file, element, `No other audio or video matches data-duck-under="${under}".`, 'data-duck-under')
    }
}

function* replacedByTweens({ files }: LintProject): Generator<Spot> {
  const tracks = files.flatMap(({ elements }) => elements.filter(isMedia))
  for (const { scripts } of files)
    for (const script of scripts)
      for (const { selector, properties, line } of script.facts.targets) {
        if (!properties.includes('volume')) continue
        for (const track of tracks) {
          const fade = REPLACED.find((name) => attributeOf(track, name) !== null)
          const name = fade ?? (hasKeyframes(track) ? 'data-volume' : undefined)
          if (name === undefined || fitsSelectors(selector, track) !== true) continue
          const message = `The tween of the volume of "${selector}" wins over ${name} on ${labelOf(track)}, which has no effect.`
          yield spotInScript(script, line, message)
        }
      }
}

const TWEEN = `
<script>
  const timeline = gsap.timeline({ paused: true })
  timeline.to('#music', { volume: 0.2, duration: 1 })
  window.__timelines = { main: timeline }
</script>`

/** Rules about attributes that change a sound over time. */
export const soundRules: readonly LintRule[] = [
  {
    name: 'sound-attribute',
    severity: 'warning',
    what: 'A fade, keyframe, duck, bus or pan attribute whose value cannot be used.',
    why: 'The attribute is ignored, so the sound is not as written.',
    hint: 'Write the value as docs/sound.md shows.',
    bad: sounds('data-fade-in="1s"'),
    good: sounds('data-fade-in="1"'),
    check: unusable,
  },
  {
    name: 'duck-without-track',
    severity: 'warning',
    what: 'A track that is to be lowered under tracks that do not exist.',
    why: 'It is not lowered.',
    hint: 'Write a selector of the other track, such as data-duck-under="#voice".',
    bad: sounds('data-duck="9"'),
    good: sounds('data-duck="9" data-duck-under="#voice"'),
    check: withoutTarget,
  },
  {
    name: 'volume-conflict',
    severity: 'error',
    what: 'A tween of `volume` on an element with `data-fade-in`, `data-fade-out` or keyframes in `data-volume`.',
    why: 'The tween wins, and the attribute has no effect.',
    hint: 'Remove the tween, or the attribute.',
    bad: sounds('data-fade-in="1"', { more: TWEEN }),
    good: sounds('', { more: TWEEN }),
    check: replacedByTweens,
  },
]
