import { effect, type ReadonlySignal } from '@preact/signals'
import { followClips } from '../edit/clip-target.ts'
import { guardDrops } from '../edit/dropped-files.ts'
import { followEdits } from '../edit/edit-session.ts'
import { followSelection } from '../edit/inspection.ts'
import { followBoxes } from '../edit/picture.ts'
import { beforeFrame } from '../review/before.ts'
import { followChangedFrames } from '../review/changed-frames.ts'
import { followComments } from '../review/comments.ts'
import { followFindings } from '../review/findings.ts'
import { followRest } from '../review/idle.ts'
import { connect } from './connection.ts'
import { exactFrame } from './exact.ts'
import { listenToKeys } from './keyboard.ts'
import { forgetWaveforms } from './media.ts'
import { attempt } from './notices.ts'
import { keepPlace, restorePlace } from './place.ts'
import { forgetCheck, loadProblems } from './problems.ts'
import { entry, loadDetails, loadProject, mediaRevision, revision } from './project.ts'
import { loadJobs } from './renders.ts'
import { reportView } from './report-view.ts'
import { stagedPicture } from './staged.ts'
import { renewBatches, resetAll } from './variables.ts'

/** Does something again whenever one of the signals changes; the work before is stopped. */
const again = (signals: readonly ReadonlySignal<unknown>[], work: (signal: AbortSignal) => Promise<void>) =>
  effect(() => {
    for (const { value: _ } of signals);
    const stop = new AbortController()
    if (entry.value) void attempt(() => work(stop.signal))
    return () => stop.abort()
  })

/** Connects the state of the page to the server; called once. */
export const connectToServer = (): void => {
  listenToKeys()
  guardDrops()
  keepPlace()
  connect()
  again([entry, revision, stagedPicture], loadDetails)
  again([entry, revision, stagedPicture], loadProblems)
  again([entry, revision], renewBatches)
  effect(() => {
    if (revision.value >= 0 && stagedPicture.value !== null && entry.value) forgetCheck()
  })
  effect(() => {
    if (mediaRevision.value > 0) forgetWaveforms()
  })
  effect(() => {
    if (entry.value) resetAll()
  })
  exactFrame.follow()
  beforeFrame.follow()
  followEdits()
  followClips()
  followSelection()
  followBoxes()
  followRest()
  followChangedFrames()
  followFindings()
  followComments()
  reportView()
  void attempt(async () => {
    await Promise.all([loadProject().then(restorePlace), loadJobs()])
  })
}
