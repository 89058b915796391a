import { z } from 'zod'
import { BINARIES, type Binary } from '../binary-format.ts'
import { Encoding } from '../encoding.ts'
import { ROW_BYTES_MAX } from '../file-limits.ts'
import { TEXT_ENCODINGS } from '../text-encoding.ts'
import { entry, plain } from './entry.ts'

const Count = z.int().nonnegative()
const Line = z.int().positive()
/** The name of a file in an archive, as far as it is shown. */
const Entry = z.string()
const Column = z.string()

const inArchive = (name: string | null) => (name === null ? '' : `压缩包内的「${name}」`)

/** Why a file, or one of its rows, cannot be read. */
export const FILE_OUTCOMES = {
  /** Text stored before faults of files had codes. */
  file_unreadable: entry({ text: z.string().min(1) }, ({ text }) => text),

  file_zero_bytes: plain('文件是空的'),
  file_empty: plain('文件中没有内容'),
  file_missing: plain('文件不存在或已被移走'),
  file_not_permitted: plain('没有权限读取该文件'),
  file_is_directory: plain('它是一个目录'),
  file_not_a_file: plain('这不是一个文件'),
  file_disk_error: plain('读取文件时磁盘出错', 'retry'),
  file_removed: plain('文件已被清理，请重新上传'),
  file_not_on_server: plain('文件已不在服务器上，请重新上传'),

  file_is_zip: plain('不支持 zip 压缩包，请解压后导入'),
  file_is_utf16: plain('文件是 UTF-16 编码，请另存为 UTF-8 后导入'),
  file_not_utf8: entry(
    { line: Line.nullable() },
    ({ line }) => `文件不是 UTF-8 编码${line === null ? '' : `（第 ${line} 行）`}，请更改编码，或另存为 UTF-8 后导入`,
  ),
  file_line_not_utf8: entry(
    { in_archive: Entry.nullable(), line: Line, encoding: z.enum(['GBK', 'UTF-16']) },
    ({ in_archive, line, encoding }) =>
      `${inArchive(in_archive)}第 ${line.toLocaleString('en')} 行不是 UTF-8 编码（可能是 ${encoding}），请另存为 UTF-8 后重新上传`,
  ),
  /** The encoding was recognised or chosen, but a line holds bytes that are none of its characters. */
  file_not_in_encoding: entry(
    { in_archive: Entry.nullable(), line: Line, encoding: Encoding },
    ({ in_archive, line, encoding }) =>
      `${inArchive(in_archive)}第 ${line.toLocaleString('en')} 行不是有效的 ${TEXT_ENCODINGS[encoding]} 文本，请更改编码，或另存为 UTF-8 后重新上传`,
  ),
  file_is_binary: entry(
    { in_archive: Entry.nullable(), format: z.enum(Object.keys(BINARIES) as [Binary, ...Binary[]]) },
    ({ in_archive, format }) =>
      `${inArchive(in_archive) || '文件'}内容是${BINARIES[format]}，不是文本，请另存为 UTF-8 的 txt 或 csv 后重新上传`,
  ),
  file_gzip_unreadable: plain('压缩文件已损坏，无法解压'),
  file_gzip_broken: plain('压缩文件不完整或已损坏'),
  file_too_dense: entry({ times: Count }, ({ times }) => `压缩比超过 ${times} 倍，可能是压缩炸弹，已停止解压`),

  file_header_too_long: plain('首行过长，找不到列名'),
  file_header_has_control: plain('首行的列名中有不支持的控制字符'),
  file_header_misquoted: plain('首行的引号不正确，无法读出列名'),
  file_has_lone_returns: plain('换行符是单独的 CR，请另存为以 LF 或 CRLF 换行后导入'),
  file_too_many_columns: entry({ max: Count }, ({ max }) => `列数超过 ${max}`),
  file_column_repeated: entry({ name: Column }, ({ name }) => `列名「${name}」重复`),
  file_column_unusable: entry({ name: Column }, ({ name }) => `列名「${name}」不能使用，请改名后导入`),
  /** `name` is its beginning. */
  file_column_too_long: entry({ name: Column, max: Count }, ({ name, max }) => `列名「${name}…」超过 ${max} 个字符`),
  file_without_objects: plain('没有找到 JSON 对象'),

  file_not_parquet: plain('文件不是 Parquet 格式，或已损坏'),
  file_parquet_broken: plain('Parquet 文件不完整或已损坏'),
  file_parquet_columns_repeated: plain('Parquet 文件中有重复的列名'),
  file_cells_too_large: plain('单元格或数据块过大，读取需要的内存超过上限'),
  file_unpacks_too_slowly: plain('展开后的内容过大，读取超过时间上限'),

  preview_too_large: plain('前几行内容过大，无法预览'),
  preview_out_of_memory: entry({ mb: Count }, ({ mb }) => `前几行内容过大，预览需要的内存超过 ${mb} MB`),
  preview_server_out_of_memory: plain('服务器内存不足，请稍后再试', 'retry'),
  preview_timed_out: entry({ seconds: Count }, ({ seconds }) => `文件过大或过于复杂，${seconds} 秒内没有读出前几行`),

  archive_broken: plain('压缩包已损坏或不完整，请重新压缩后上传'),
  archive_encrypted: plain('压缩包已加密，请去掉密码后重新上传'),
  archive_without_texts: plain('压缩包内没有 txt、text 或 csv 文件'),
  archive_unpacks_too_large: entry({ gb: Count }, ({ gb }) => `解压后的内容超过 ${gb} GB，请拆分后分别新建人群`),
  archive_too_many_files: entry(
    { files: Count, max: Count },
    ({ files, max }) => `压缩包内有 ${files.toLocaleString('en')} 个文件，最多 ${max} 个`,
  ),
  archive_in_archive: entry({ name: Entry }, ({ name }) => `压缩包内不能再有压缩包（${name}）`),
  archive_file_not_text: entry({ name: Entry }, ({ name }) => `压缩包内的「${name}」不是 txt、text 或 csv 文件`),
  archive_file_packed_otherwise: entry(
    { name: Entry },
    ({ name }) => `压缩包内的「${name}」使用了不支持的压缩方式，请以普通 zip 重新压缩`,
  ),

  row_too_long: plain(`单行超过 ${ROW_BYTES_MAX / 1024 ** 2} MB`),
  /** Of a file of refused rows, see `INCOMPLETE`. */
  row_still_incomplete: plain(
    '被拒绝的行中不完整的行（列数不对、引号有误或内容被截断）：请补全，并删去「原文件行号」中的「（不完整）」',
  ),
  row_ragged: entry(
    { has: Count, wants: Count },
    ({ has, wants }) => `列数与首行不一致：有 ${has} 列，应为 ${wants} 列`,
  ),
  /** Counts rows of any wrong length in a report. */
  rows_ragged: plain('列数与首行不一致'),
  row_has_control: plain('含有不支持的控制字符'),
  row_quote_misplaced: plain('引号位置不正确'),
  row_quote_unclosed: plain('引号没有闭合'),
  row_not_json: plain('不是有效的 JSON'),
  row_not_an_object: plain('不是 JSON 对象'),
  row_nested_too_deeply: plain('嵌套层数过多'),
} as const
