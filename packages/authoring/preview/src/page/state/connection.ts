import { signal } from '@preact/signals'
import type { PreviewEvent } from '../../api.ts'
import { API } from '../../api-paths.ts'
import { hearEdit } from '../edit/edit-session.ts'
import { hearComments } from '../review/comments.ts'
import { hearProgress } from '../review/findings.ts'
import { attempt } from './notices.ts'
import { loadProject, mediaRevision, pictureRevision, project, revision } from './project.ts'
import { loadJobs, putJob } from './renders.ts'

/** Whether the server is reachable; `missing` while the folder of the project does not exist. */
export const connection = signal<'open' | 'lost' | 'missing'>('open')

/** Why not all changes of files are seen; null when they are. */
export const unwatched = signal<string | null>(null)

/** Files that are no video and no sound. */
const TEXT = /\.(?:html?|css|m?[jt]s|json|svg|md|txt)$/i

const mayConcernMedia = (files: readonly string[]) => files.length === 0 || files.some((file) => !TEXT.test(file))

const hear = (event: PreviewEvent) => {
  connection.value = event.type === 'missing' ? 'missing' : 'open'
  if (event.type === 'hello' || event.type === 'unwatched') unwatched.value = event.unwatched
  if (event.type === 'job') return putJob(event.job)
  if (event.type === 'edit') return hearEdit(event)
  if (event.type === 'comments') return hearComments()
  if (event.type === 'checking') return hearProgress(event)
  if (event.type === 'change' && project.value) {
    project.value = {
      ...project.value,
      revision: event.revision,
      compositions: event.compositions,
      unlisted: event.unlisted,
    }
    revision.value = event.revision
    if (!event.isShown) pictureRevision.value += 1
    if (mayConcernMedia(event.files)) mediaRevision.value = event.revision
  }
  // A server that was started again counts from 0.
  if (event.type === 'hello' && project.value && event.revision !== revision.value)
    void attempt(async () => {
      await Promise.all([loadProject(), loadJobs()])
      pictureRevision.value += 1
    })
}

/** Listens to the server until the page is closed; the browser connects again by itself. */
export const connect = (): void => {
  const source = new EventSource(API.events)
  source.onmessage = ({ data }: MessageEvent<string>) => hear(JSON.parse(data))
  source.onerror = () => {
    connection.value = 'lost'
  }
}
