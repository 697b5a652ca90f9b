import { bytesText, type Progress, type Report } from '@vid/command'
import { printable } from '@vid/protocol'
import type { StackEvent } from '../../stack/stack-change.ts'

/** Formats a stack event on one line. */
const stackEventText = (event: StackEvent): string => {
  if (event.stage === 'building') return 'building the function: collecting its packages'
  if (event.stage === 'checking') return `building the function: starting its ${bytesText(event.unzippedBytes)} once`
  if (event.stage === 'compressing') return `building the function: compressing ${bytesText(event.unzippedBytes)}`
  if (event.stage === 'built')
    return `built the function: ${bytesText(event.bytes)}, ${bytesText(event.unzippedBytes)} unzipped; formats: ${event.formats.join(', ')}`
  if (event.stage === 'upload') return `uploading the function: ${bytesText(event.sent)} of ${bytesText(event.bytes)}`
  if (event.stage === 'waiting') return `waiting for another change: ${event.status}`
  if (event.stage === 'emptying') return `removing objects: ${event.objects}`
  const { resource, status, reason = '' } = event
  return [`${resource} ${status.toLowerCase().replaceAll('_', ' ')}`, reason].filter(Boolean).join(': ')
}

const QUARTERS = 4

/** Selects the steps that are logged: of an upload, its start and each quarter. */
const createSteps = () => {
  let quarter = -1
  return (event: StackEvent): boolean => {
    if (event.stage !== 'upload') return true
    const now = Math.floor((event.sent / event.bytes) * QUARTERS)
    const isNew = now !== quarter
    quarter = now
    return isNew
  }
}

/** Shows stack events, and records whether CloudFormation has started the change. */
export const createStackProgress = (report: Report, progress: Progress) => {
  let isChanging = false
  const isStep = createSteps()
  return {
    hasBegun: () => isChanging,
    onEvent(event: StackEvent): void {
      isChanging ||= event.stage === 'resource' || event.stage === 'waiting'
      const { type: resourceType, ...facts } = { type: undefined, ...event }
      report.event({ ...facts, ...(resourceType !== undefined && { resourceType }), type: 'lambda-stack' })
      const text = printable(stackEventText(event))
      if (progress.isLive && event.stage === 'built') {
        progress.clear()
        report.note(text)
      } else if (isStep(event) || progress.isLive) progress.show(text)
    },
  }
}
