# Turns the output of the benchmarks of package plan into a page: the median of each, in microseconds.
BEGIN {
	what["Pair"] = "pair the two pools (once per peer)"
	what["ChunkOneRun"] = "plan 4,096 pages, all neighbours"
	what["ChunkNoRuns"] = "plan 4,096 pages, no two of them neighbours"
	what["ChunkOneRunCopies"] = "the same, all neighbours, and visit every copy"
	what["ChunkNoRunsCopies"] = "the same, no neighbours, and visit every copy"
	order = "Pair ChunkOneRun ChunkNoRuns ChunkOneRunCopies ChunkNoRunsCopies"
}
/^cpu:/ { sub(/^cpu: */, ""); cpu = $0 }
/^Benchmark/ {
	name = $1
	sub(/^Benchmark/, "", name)
	sub(/-[0-9]+$/, "", name)
	runs[name]++
	time[name, runs[name]] = $3
	copies[name] = $5 == "" ? "" : sprintf("%d", $5)
}
# median of the runs of a benchmark, sorted by insertion
function median(name,    i, j, n, t, v) {
	n = runs[name]
	for (i = 1; i <= n; i++) v[i] = time[name, i] + 0
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && v[j - 1] > v[j]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
	return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
}
END {
	print "# Planning\n"
	print "Written by `make bench-plan`. A model of the size of DeepSeek V4: 61 layers, 30 of ratio 4 and 29 of ratio 128, so 89 KV regions; a request of"
	print "4,096 pages. The aim is 1 ms (1,000 µs) for planning. A plan keeps entries and runs apart, so making it does not list the copies; the last two"
	print "rows list them too, as the sender does while it sends.\n"
	print "| what | copies | median µs |"
	print "|---|---:|---:|"
	n = split(order, names, " ")
	for (i = 1; i <= n; i++) {
		if (!(names[i] in runs)) { print "no result of Benchmark" names[i] > "/dev/stderr"; exit 1 }
		printf "| %s | %s | %.0f |\n", what[names[i]], copies[names[i]], median(names[i]) / 1000
	}
	printf "\nMedian of %d runs each, %s, %s.\n", runs["Pair"], go, cpu
}
