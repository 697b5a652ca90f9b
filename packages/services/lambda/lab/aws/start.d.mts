import type { Rule } from './s3-front.d.mts'

/** How the endpoints are started. */
export interface AwsOptions {
  /** A server that runs; else the strict one of the tests. */
  readonly s3?: { readonly endpoint: string; readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Calls of functions that the account runs at once. */
  readonly concurrency?: number
  /** Factor of the waits before another attempt. */
  readonly retryScale?: number
  /** A start that takes longer is done again within the call; 10 on AWS. */
  readonly initSeconds?: number
  /** False runs environments without namespaces, as a machine without them does. */
  readonly namespaces?: boolean
}

/** What the services themselves do not show. */
export interface AwsState {
  readonly calls: readonly {
    readonly requestId: string
    /** `$LATEST`, or the number of the version that was called. */
    readonly version: string
    readonly payload: string
    readonly error?: string
    readonly billedMs: number
    readonly peak: number
    readonly isCold: boolean
  }[]
  readonly rules: readonly (Rule & { readonly seen: number; readonly done: number })[]
  readonly s3: { readonly requests: number; readonly byMethod: Readonly<Record<string, number>> }
  /** Whether environments run in namespaces. */
  readonly isConfined: boolean
  readonly environments: readonly {
    readonly id: string
    readonly isBusy: boolean
    readonly peakBytes: number
    readonly tmp: readonly string[]
  }[]
  readonly stacks: readonly { readonly name: string; readonly status: string }[]
}

/** Endpoints of AWS in a process of their own. */
export interface Aws {
  /** Points the clients of AWS here. */
  readonly env: Readonly<Record<string, string>>
  readonly endpoint: string
  readonly folder: string
  readonly pid: number
  control(name: 'state'): Promise<AwsState>
  control(name: 'logs'): Promise<readonly string[]>
  control(name: 'rules', rules: readonly Rule[]): Promise<null>
  control(name: 'concurrency', value: number): Promise<null>
  control(name: 'age', value: { readonly name: string; readonly ms: number }): Promise<null>
  control(
    name: 'output',
    value: { readonly stack: string; readonly name: string; readonly value: string },
  ): Promise<null>
  close(): Promise<void>
}

/** Starts the endpoints and waits until they answer. */
export function startAws(options?: AwsOptions): Promise<Aws>
