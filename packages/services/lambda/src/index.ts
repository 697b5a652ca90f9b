export type { AwsPlace } from './aws-clients.ts'
export { checkStackPlace } from './check-place.ts'
export type { LambdaResult } from './contract/action-events.ts'
export { countChunks } from './contract/chunks.ts'
export { type ExecutionInput, lambdaSurface } from './contract/execution-input.ts'
export type { ActualCost } from './cost/actual-cost.ts'
export {
  type CostEstimate,
  type EstimatedConfig,
  type EstimatedCost,
  type EstimateOptions,
  estimateRenderCost,
} from './cost/estimate.ts'
export { knownPrices } from './cost/known-prices.ts'
export { type LimitedRender, type LimitProblem, limitProblems } from './cost/limit-problems.ts'
export type { Prices } from './cost/prices.ts'
export { readPrices } from './cost/read-prices.ts'
export type { CostParts } from './cost/usage.ts'
export { type ConfigProblem, lambdaErrors } from './errors.ts'
export { findPlace, type Place, type PlaceQuery } from './find-place.ts'
export { type InvalidConfigError, isInvalidConfig } from './invalid-config.ts'
export {
  buildFunctionPackage,
  type FunctionPackage,
  type PackageOptions,
  type PackagePart,
} from './package/build-package.ts'
export { type RenderHandle, type RenderToLambdaOptions, renderToLambda } from './render-to-lambda.ts'
export { type RenderConfig, RenderConfigSchema } from './renders/config-schema.ts'
export type { RenderPlace } from './renders/executions.ts'
export { failureText } from './renders/failure-text.ts'
export { type FollowOptions, followRender } from './renders/follow-render.ts'
export { type ListedRender, type ListRendersOptions, listRenders } from './renders/list-renders.ts'
export { type PreparedExecution, prepareExecution, type WantedRender } from './renders/prepare-execution.ts'
export type { RenderError } from './renders/render-errors.ts'
export { lambdaFailure } from './renders/render-failure.ts'
export { type LogLine, type RenderLogsOptions, renderLogs } from './renders/render-logs.ts'
export { getRenderProgress, type RenderProgress, type RenderProgressOptions } from './renders/render-progress.ts'
export {
  downloadRenderPoster,
  downloadRenderResult,
  fetchRenderResult,
  type RenderBucket,
  readRenderWarnings,
} from './renders/render-result.ts'
export type { RenderStatus } from './renders/status.ts'
export { type StopRenderOptions, stopRender } from './renders/stop-render.ts'
export { type RenderFacts, validateRenderConfig } from './renders/validate-config.ts'
export {
  type DeployedSite,
  type DeploySiteOptions,
  deploySite,
  type SiteHandle,
  type SiteProgress,
} from './sites/deploy-site.ts'
export { siteLeftBehind } from './sites/left-behind.ts'
export { type ListedSite, type ListSitesOptions, listSites } from './sites/list-sites.ts'
export { type DeployStackOptions, deployStack } from './stack/deploy-stack.ts'
export { type DestroyedStack, type DestroyStackOptions, destroyStack } from './stack/destroy-stack.ts'
export type { StackPlace } from './stack/find-stack.ts'
export { type OwnTemplate, type OwnTemplateOptions, ownTemplate } from './stack/own-template.ts'
export { type PoliciesOptions, type StackPolicies, stackPolicies } from './stack/policies.ts'
export type { OnStackEvent, StackEvent } from './stack/stack-change.ts'
export { checkStackFormat, type FormatPlace, type WantedFormat } from './stack/stack-formats.ts'
export { checkStackVersion, type StackOutputs, stackOutputs } from './stack/stack-outputs.ts'
export type { StackSettings } from './stack/stack-parameters.ts'
export { stackTemplate } from './stack/template.ts'
export type { PolicyDocument, PolicyStatement, StackTemplate, TemplateResource, TemplateValue } from './stack/values.ts'
export { version } from './version.ts'
export { lambdaWarnings } from './warnings.ts'
export { workflowDefinition } from './workflow/definition.ts'
export type { Catcher, MapState, Retrier, TaskState, WorkflowDefinition } from './workflow/states.ts'
