import { printable } from '@vid/kernel'
import type { StackEvent } from '@vid/lambda'
import type { Progress } from '../commands/render/progress.ts'
import type { Report } from '../report.ts'
import { bytesText } from '../text.ts'

/** What happens to a stack, on one line. */
const stackEventText = (event: StackEvent): string => {
  if (event.stage === 'building') return 'building the function'
  if (event.stage === 'built')
    return `built the function: ${bytesText(event.bytes)}, ${bytesText(event.unzippedBytes)} unzipped`
  if (event.stage === 'upload') return `uploading the function: ${bytesText(event.bytes)}`
  if (event.stage === 'waiting') return `waiting for another change: ${event.status}`
  if (event.stage === 'emptying') return `removing objects: ${event.objects}`
  const { resource, status, reason = '' } = event
  return [`${resource} ${status.toLowerCase().replaceAll('_', ' ')}`, reason].filter(Boolean).join(': ')
}

/** Shows what happens to a stack, and remembers whether CloudFormation has begun to change it. */
export const createStackProgress = (report: Report, progress: Progress) => {
  let isChanging = false
  return {
    hasBegun: () => isChanging,
    onEvent(event: StackEvent): void {
      isChanging ||= event.stage === 'resource' || event.stage === 'waiting'
      const { type: resourceType, ...facts } = { type: undefined, ...event }
      report.event({ ...facts, ...(resourceType !== undefined && { resourceType }), type: 'lambda-stack' })
      progress.show(printable(stackEventText(event)))
    },
  }
}
