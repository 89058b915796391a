import type { AcrossShards } from '../../clickhouse/handles.ts'
import type { ThereDeps } from './there/deps.ts'

export interface ActivityDeps extends ThereDeps {
  live: AcrossShards
  deployment: 'saas' | 'rps'
}
