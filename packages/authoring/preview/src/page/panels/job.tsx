import type { Job as JobData } from '../../api.ts'
import { formatBytes, formatRemaining } from '../model/amounts.ts'
import { attempt } from '../state/notices.ts'
import { cancel } from '../state/renders.ts'

const STATES = {
  queued: 'Waiting',
  running: 'Rendering',
  completed: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
} as const

const progressText = ({ stage, framesRendered, totalFrames, speed, remainingMs }: JobData): string =>
  [
    stage && stage !== 'render' ? stage : '',
    totalFrames > 0 ? `${framesRendered} of ${totalFrames} frames` : '',
    speed === null ? '' : `${speed.toFixed(speed < 10 ? 1 : 0)} frames/s`,
    remainingMs === null ? '' : `${formatRemaining(remainingMs)} left`,
  ]
    .filter(Boolean)
    .join(' · ')

const Running = ({ job }: { readonly job: JobData }) => (
  <>
    <progress aria-label="Progress" max={1} value={job.progress} />
    <span class="quiet numbers">{progressText(job)}</span>
    <button type="button" class="button small" onClick={() => attempt(() => cancel(job.id))}>
      Cancel
    </button>
  </>
)

const Picture = ({ file }: { readonly file: JobData['files'][number] }) => {
  if (file.url === null) return null
  if (file.contentType.startsWith('image/')) return <img src={file.url} alt={`Result ${file.name}`} />
  if (!file.contentType.startsWith('video/')) return null
  return (
    // biome-ignore lint/a11y/useMediaCaption: what was rendered is played as it is
    <video src={file.url} controls loop preload="metadata" aria-label={`Result ${file.name}`} />
  )
}

const Result = ({ job }: { readonly job: JobData }) => (
  <>
    {job.files.map((file) => (
      <div key={file.name} class="result">
        <Picture file={file} />
        <span>
          {file.url === null ? (
            file.name
          ) : (
            <a href={file.url} download={file.name}>
              {file.name}
            </a>
          )}{' '}
          <span class="quiet">{formatBytes(file.bytes)}</span>
        </span>
      </div>
    ))}
    <span class="quiet">
      in the folder <code>{job.folder}</code>
    </span>
  </>
)

/** One render: its progress, its result or why it failed. */
export const JobCard = ({ job }: { readonly job: JobData }) => {
  const isOver = job.state !== 'queued' && job.state !== 'running'
  return (
    <li class="card job">
      <div class="problem-head">
        <span class={`badge ${job.state === 'failed' ? 'error' : 'note'}`}>{STATES[job.state]}</span>
        <span>{job.settings.entry}</span>
        {job.source === 'staged' && <span class="quiet">with the staged changes</span>}
      </div>
      {!isOver && <Running job={job} />}
      {job.state === 'completed' && <Result job={job} />}
      {job.error && (
        <>
          <p class="error-text">{job.error.message}</p>
          <p class="quiet">{job.error.hint}</p>
        </>
      )}
      {job.warnings.map(({ message }) => (
        <p key={message} class="quiet">
          Warning: {message}
        </p>
      ))}
    </li>
  )
}
