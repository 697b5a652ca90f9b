/** Where the endpoints are, and how they behave. */
export interface AwsOptions {
  readonly s3?: { readonly endpoint: string; readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly concurrency?: number
  readonly retryScale?: number
  readonly initSeconds?: number
  readonly namespaces?: boolean
}

/** Endpoints of AWS that run on this machine. */
export interface StartedAws {
  /** What points clients of AWS at them. */
  readonly env: Readonly<Record<string, string>>
  readonly endpoint: string
  readonly folder: string
  readonly pid: number
  /** Sees or changes what the services do not show; the caller knows what it is told. */
  control<T>(name: string, value?: unknown): Promise<T>
  close(): Promise<void>
}

export function startAws(options?: AwsOptions): Promise<StartedAws>
