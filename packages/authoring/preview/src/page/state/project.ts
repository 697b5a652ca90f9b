import { computed, signal } from '@preact/signals'
import type { CompositionEntry, CompositionReply, ProjectReply, RenderChoices } from '../../api.ts'
import { API } from '../../api-paths.ts'
import { attempt, tell } from './notices.ts'
import { read, sendJson, withQuery } from './server.ts'

/** The project; null until the server has answered. */
export const project = signal<ProjectReply | null>(null)

/** File of the composition that is shown. */
export const entry = signal('')

/** What the text of the shown composition says; null until it is read, and while it cannot be. */
export const details = signal<CompositionReply | null>(null)

/** The settings that a render accepts. */
export const choices = signal<RenderChoices | null>(null)

/** Counts the file changes that this page has received. */
export const revision = signal(0)

/** Counts those after which a composition may be another picture: writing what is staged is none. */
export const pictureRevision = signal(0)

/** Counts the changes that may concern a video or a sound. */
export const mediaRevision = signal(0)

/** The composition that is shown, as the list has it. */
export const current = computed<CompositionEntry | null>(
  () => project.value?.compositions.find((composition) => composition.entry === entry.value) ?? null,
)

/** Address of the composition that is shown, also while its file is missing; its last good picture stays. */
export const source = computed(() => {
  const { origin = '' } = project.value ?? {}
  return origin && entry.value ? `${origin}/${entry.value.split('/').map(encodeURIComponent).join('/')}` : ''
})

const entryOfAddress = (): string => new URLSearchParams(location.hash.slice(1)).get('entry') ?? ''

/** Shows another composition; the address of the page keeps its name. */
export const choose = (name: string): void => {
  if (name === entry.value) return
  entry.value = name
  details.value = null
  history.replaceState(null, '', `#${new URLSearchParams({ entry: name })}`)
}

/** Reads the project from the server, and chooses a composition where none is chosen. */
export const loadProject = async (): Promise<void> => {
  const reply = await read<ProjectReply>(API.project)
  project.value = reply
  revision.value = reply.revision
  const names = reply.compositions.map((composition) => composition.entry)
  const nextEntry = [entry.value, entryOfAddress()].find((name) => names.includes(name))
  if (entry.value === '') choose(nextEntry ?? names[0] ?? '')
  document.title = `${reply.name} – vid preview`
}

/** Reads what the text of the shown composition says; a broken edit leaves what was read before. */
export const loadDetails = async (signal: AbortSignal): Promise<void> => {
  const currentEntry = entry.value
  if (currentEntry === '') return
  const [reply, choicesReply] = await Promise.all([
    read<CompositionReply>(withQuery(API.composition, { entry: currentEntry }), signal),
    read<RenderChoices>(API.choices, signal),
  ])
  signal.throwIfAborted()
  choices.value = choicesReply
  if (!reply.error || details.value === null) details.value = reply
}

/** Opens a file of the project in the editor of the person who started the preview. */
export const sendToEditor = (file: string, line = 1): Promise<void> =>
  attempt(async () => {
    await sendJson(API.editor, { file, line })
    tell(`Opened ${file}:${line}`)
  })
