/** What the runtime of Lambda tells of a call, as far as the function uses it. */
export interface LambdaContext {
  readonly awsRequestId: string
  getRemainingTimeInMillis(): number
}
