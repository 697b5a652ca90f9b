import type { StackEvent as FormationEvent } from '@aws-sdk/client-cloudformation'
import { isVidError } from '@vid/protocol'
import { backOff, delay, retry } from '@vid/system'
import { askAws } from '../aws-failure.ts'
import { fail } from '../errors.ts'
import type { PackagePart } from '../package/build-package.ts'
import { findStack, type StackDescription, type StackSession } from './find-stack.ts'

/** An event while a stack is deployed or destroyed. */
export type StackEvent =
  /**
   * The function's package is being built from the config: its packages are collected, it is started once, and
   * compressed.
   */
  | { readonly stage: 'building' }
  | { readonly stage: 'checking'; readonly unzippedBytes: number }
  | { readonly stage: 'compressing'; readonly unzippedBytes: number }
  /** The package is built. */
  | {
      readonly stage: 'built'
      readonly bytes: number
      readonly unzippedBytes: number
      readonly parts: readonly PackagePart[]
      readonly formats: readonly string[]
    }
  /** The package is being uploaded; `sent` of its bytes have arrived. */
  | { readonly stage: 'upload'; readonly bytes: number; readonly sent: number }
  /** Another change of the stack must end first. */
  | { readonly stage: 'waiting'; readonly status: string }
  /** The status of the stack or one of its resources changed. */
  | {
      readonly stage: 'resource'
      readonly resource: string
      readonly type: string
      readonly status: string
      readonly reason?: string
    }
  /** Objects in the bucket are being removed. */
  | { readonly stage: 'emptying'; readonly objects: number }

/** Receives the events of a stack. */
export type OnStackEvent = (event: StackEvent) => void

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 4000

/** Consecutive requests that may fail, each after all retries of the client, while a change continues on its own. */
const MAX_RETRIES = 9
const SILENCES: readonly string[] = ['VID_AWS_UNREACHABLE', 'VID_AWS_THROTTLED']

/** CloudFormation's message about a resource that failed only because of others. */
const OF_OTHERS = /cancelled|following resource\(s\) failed/i

/** Follows the events of a stack; created before a change, it reports the events of that change. */
export const followEvents = async (
  session: StackSession,
  stack: Pick<StackDescription, 'id'> | undefined,
  onEvent: OnStackEvent | undefined,
) => {
  const { client, stackName, signal } = session
  const { DescribeStackEventsCommand } = await import('@aws-sdk/client-cloudformation')
  const reasons: string[] = []
  const seenIds = new Set<string>()
  /** Reads new events in order; on the first read, only one page. */
  const readNew = async (id: string, isFirst = false): Promise<readonly FormationEvent[]> => {
    const fresh: FormationEvent[] = []
    for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
      const command = new DescribeStackEventsCommand({ StackName: id, NextToken: token })
      const request = {
        action: 'cloudformation:DescribeStackEvents',
        subject: `the stack ${stackName}`,
      } as const
      const page = await askAws(request, signal, (options) => client.send(command, options))
      const events = page.StackEvents ?? []
      const unknown = events.filter(({ EventId = '' }) => !seenIds.has(EventId))
      fresh.push(...unknown)
      // Latest first.
      token = !isFirst && unknown.length === events.length ? page.NextToken : undefined
    }
    for (const { EventId = '' } of fresh) seenIds.add(EventId)
    return fresh.reverse()
  }
  if (stack) await readNew(stack.id, true)
  return {
    /** Why resources have failed so far. */
    reasons,
    async tell(id: string) {
      for (const event of await readNew(id)) {
        const { LogicalResourceId: resource = '', ResourceType: type = '', ResourceStatus, ...rest } = event
        const status: string = ResourceStatus ?? ''
        const reason = rest.ResourceStatusReason
        onEvent?.({ stage: 'resource', resource, type, status, ...(reason !== undefined && { reason }) })
        const isCause = status.endsWith('_FAILED') && reason !== undefined && !OF_OTHERS.test(reason)
        if (isCause && resource !== stackName) reasons.push(`${resource} (${type}): ${reason}`)
      }
    },
  }
}

type Follower = Awaited<ReturnType<typeof followEvents>>

/**
 * Waits until no change of a stack is in progress, and reports its events; resolves to undefined if the stack is gone.
 * A temporary network failure does not end the wait.
 */
export const waitForStack = async (
  session: StackSession,
  id: string,
  follower: Follower,
): Promise<StackDescription | undefined> => {
  const { signal } = session
  const findChange = async (): Promise<StackDescription | undefined> => {
    const stack = await findStack(session, id)
    if (stack) await follower.tell(id)
    return stack
  }
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    const stack = await retry(findChange, {
      signal,
      may: (error) => isVidError(error) && SILENCES.includes(error.code),
      delays: backOff({ firstMs: waitMs, maxMs: LONGEST_WAIT_MS }),
      retries: MAX_RETRIES,
    })
    if (!stack || stack.status === 'DELETE_COMPLETE') return undefined
    if (!stack.status.endsWith('_IN_PROGRESS')) return stack
    // CloudFormation offers nothing to wait on.
    await delay(waitMs, signal)
  }
}

/** Waits for the end of a change; if the stack did not reach the status, fails with the causes. */
export const finishChange = async (
  session: StackSession,
  id: string,
  follower: Follower,
  target: StackDescription['status'],
): Promise<StackDescription | undefined> => {
  const stack = await waitForStack(session, id, follower)
  const status = stack?.status ?? 'DELETE_COMPLETE'
  if (status === target) return stack
  const { reasons } = follower
  const causes = reasons.length > 0 ? reasons : [stack?.statusReason ?? 'CloudFormation gives no reason']
  throw fail('VID_LAMBDA_STACK_FAILED', { stackName: session.stackName, status, reasons: causes })
}
