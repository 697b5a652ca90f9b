import { signal } from '@preact/signals'
import type { Job, RenderBody } from '../../api.ts'
import { API } from '../../api-paths.ts'
import { inOut, range } from './playback.ts'
import { entry } from './project.ts'
import { deleteJob, read, sendJson } from './server.ts'
import { edits } from './variables.ts'

/** The renders of this preview, the latest first. */
export const jobs = signal<readonly Job[]>([])

/** What was chosen; what is empty is left to the config. */
export interface RenderForm {
  readonly format: string
  readonly quality: string
  readonly fps: string
  readonly preset: string
  readonly target: string
  readonly onlyRange: boolean
}

export const form = signal<RenderForm>({
  format: '',
  quality: '',
  fps: '',
  preset: '',
  target: '',
  onlyRange: false,
})

/** Puts a job in the place of what was known of it. */
export const putJob = (job: Job): void => {
  const isKnown = jobs.value.some(({ id }) => id === job.id)
  jobs.value = isKnown ? jobs.value.map((entry) => (entry.id === job.id ? job : entry)) : [job, ...jobs.value]
}

/** Reads the renders from the server. */
export const loadJobs = async (): Promise<void> => {
  const reply = await read<{ readonly jobs: readonly Job[] }>(API.jobs)
  jobs.value = reply.jobs
}

/** A frame rate as it was typed: a fraction stays a text. */
const rateOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)

/** Starts a render of what is shown, with the values of the form. */
export const startRender = async (): Promise<void> => {
  const { format, quality, fps, preset, target, onlyRange } = form.value
  const isPart = onlyRange && (inOut.value.start !== null || inOut.value.end !== null)
  const { start, end } = range.value
  const body: RenderBody = {
    entry: entry.value,
    variables: edits.value,
    ...(format && { format }),
    ...(quality && { quality: quality as NonNullable<RenderBody['quality']> }),
    ...(fps && { fps: rateOf(fps) }),
    ...(preset && { preset }),
    ...(target && { target }),
    ...(isPart && { from: `${start}f`, to: `${end}f` }),
  }
  putJob(await sendJson<Job>(API.jobs, body))
}

/** Ends a render. */
export const cancel = (id: string): Promise<void> => deleteJob(id)
