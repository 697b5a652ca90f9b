import { API } from '../../api-paths.ts'
import type { ClipFacts, ElementInspection, InspectBody, Operation } from '../../edit-api.ts'
import { tell } from '../state/notices.ts'
import { entry } from '../state/project.ts'
import { sendJson } from '../state/server.ts'
import { edit } from '../state/staged.ts'
import { type EditableClip, editableClips, isSamePlace, targetOf } from './clip-target.ts'
import { pictureFollows, stagePlanned } from './edit-session.ts'

/** Reads what the sources hold of an element. */
export const readElement = (target: InspectBody['target'], signal?: AbortSignal): Promise<ElementInspection> => {
  const body: InspectBody = { entry: entry.peek(), target }
  return sendJson<ElementInspection>(API.inspect, body, signal)
}

const isSameTime = (one: ClipFacts, other: ClipFacts) => one.start === other.start && one.end === other.end

/** A clip as it is now; undefined where neither the page nor the sources have it as it was. */
const freshClip = async (before: EditableClip): Promise<EditableClip | undefined> => {
  const isKnown = ({ facts, version }: EditableClip) =>
    version === edit.peek()?.version && isSamePlace(facts.address, before.facts.address)
  const shown = editableClips.peek().get(before.clip.key)
  if (shown && isKnown(shown)) return shown
  const { clip: facts, version } = await readElement(targetOf(before.facts) as InspectBody['target'])
  if (!facts) return undefined
  const inPage = [...editableClips.peek().values()].find(
    (other) => other.version === version && isSamePlace(other.facts.address, facts.address),
  )
  return inPage ?? (isSameTime(facts, before.facts) ? { ...before, facts, version } : undefined)
}

/** How operations are made of clips. */
export interface ClipChange {
  readonly clips: readonly EditableClip[]
  /** Whether the times of the clips count as they were: what was dragged was measured on them. */
  readonly isMeasured?: boolean
  operations(clips: readonly EditableClip[]): readonly Operation[]
}

/** Stages a change of clips, made from what they are when it is its turn; whether it was accepted. */
export const stageClips = ({ clips, isMeasured = false, operations }: ClipChange): Promise<boolean> =>
  stagePlanned(async () => {
    if (clips.length === 0 || clips.some((clip) => clip.entry !== entry.peek())) return null
    await pictureFollows()
    const fresh: EditableClip[] = []
    for (const clip of clips) {
      const now = await freshClip(clip)
      if (!now || (isMeasured && !isSameTime(now.facts, clip.facts))) {
        tell(`${clip.clip.name} has been changed meanwhile: it stays as it is now.`, true)
        return null
      }
      fresh.push(now)
    }
    const [first] = fresh
    // Of different versions, one is outdated, and the server says so.
    return first ? { operations: operations(fresh), version: Math.min(...fresh.map(({ version }) => version)) } : null
  })
