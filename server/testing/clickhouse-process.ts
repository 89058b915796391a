import { libchdbPath } from 'chdb/libchdb'
import { DataType, load, open } from 'ffi-rs'

// Runs a ClickHouse server: chDB's library contains the whole `clickhouse local` program, which can listen on ports.
// The call returns when stdin ends; then the server stops cleanly.
const LIBRARY = 'chdb'
open({ library: LIBRARY, path: libchdbPath() })
const args = [
  'clickhouse',
  ...process.argv.slice(2),
  '--query',
  'SYSTEM START LISTEN TCP',
  '--query',
  'SYSTEM START LISTEN HTTP',
  '--query',
  "SELECT count() FROM file('stdin', 'LineAsString', 'line String')",
]
const result: unknown = load({
  library: LIBRARY,
  funcName: 'chdb_query_cmdline',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
})
process.exit(result ? 0 : 1)
