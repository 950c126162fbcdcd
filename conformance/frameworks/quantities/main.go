// Kubernetes' own parser beside what EDL reads: quantities make COUNT SEED; quantities compare LINES ANSWERS.
package main

import (
	"bufio"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strconv"
	"strings"

	"gopkg.in/inf.v0"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

var most = inf.NewDec(math.MaxInt64, 0)

func main() {
	if len(os.Args) != 4 {
		fail("it is used as quantities make COUNT SEED, or quantities compare LINES ANSWERS")
	}
	if os.Args[1] == "make" {
		count, seed := number(os.Args[2]), number(os.Args[3])
		random := rand.New(rand.NewSource(int64(seed)))
		for range count {
			fmt.Println(quantity(random))
		}
		return
	}
	compare(lines(os.Args[2]), lines(os.Args[3]))
}

// quantity makes a text that mostly is one: any sign, digits, suffix and exponent, zeros and amounts beyond 64 bits among them.
func quantity(random *rand.Rand) string {
	suffixes := []string{"", "", "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
		"e", "E", "i", "mi", "ki", "B", "GB", "Kie3"}
	suffix := suffixes[random.Intn(len(suffixes))]
	if random.Intn(5) == 0 {
		suffix = []string{"e", "E"}[random.Intn(2)] + sign(random, 3) + digits(random, 2)
	}
	text := digits(random, []int{1, 3, 6, 20, 32}[random.Intn(5)])
	switch random.Intn(8) {
	case 0, 1:
		text += "." + digits(random, []int{1, 3, 12, 32}[random.Intn(4)])
	case 2:
		text = "." + text
	case 3:
		text += "."
	case 4:
		text = "0"
	}
	return sign(random, 8) + text + suffix
}

func sign(random *rand.Rand, seldom int) string {
	return []string{"", "+", "-"}[max(0, random.Intn(2*seldom)-2*seldom+3)]
}

func digits(random *rand.Rand, longest int) string {
	var text strings.Builder
	for range 1 + random.Intn(longest) {
		text.WriteByte("0012345678900"[random.Intn(13)])
	}
	return text.String()
}

// compare holds each answer, cpu, memory and devices as text of a job, then the same of a resource, to the parser's.
func compare(given, answers []string) {
	if len(given) != len(answers) {
		fail(fmt.Sprintf("%d answers to %d quantities", len(answers), len(given)))
	}
	taken, refused := 0, 0
	for i, text := range given {
		answer := strings.Split(answers[i], "\t")
		if len(answer) != 6 {
			fail(fmt.Sprintf("%q: the answer %q has not 6 parts", text, answers[i]))
		}
		asText, err := resource.ParseQuantity(text)
		hold(text, "as text of a job", asText, err, answer[:3], true)
		var read struct{ Q resource.Quantity }
		err = yaml.Unmarshal([]byte("q: "+text+"\n"), &read)
		hold(text, "in a resource", read.Q, err, answer[3:], false)
		if err == nil {
			taken++
		} else {
			refused++
		}
	}
	fmt.Printf("%d quantities are read alike, %d other texts are refused\n", taken, refused)
}

func hold(text, where string, quantity resource.Quantity, err error, answer []string, strict bool) {
	valid := err == nil && quantity.Sign() >= 0
	far := valid && quantity.AsDec().Cmp(most) >= 0
	for i, name := range []string{"cpu", "memory", "nvidia.com/gpu"} {
		expected := "-"
		if valid {
			expected = rounded(quantity, name)
		}
		// Beyond 64 bits Kubernetes' own functions disagree: a job has no such amount, a resource the largest.
		if far && !strict {
			expected = most.String()
		}
		if far && strict && answer[i] == "-" {
			continue
		}
		if expected == "-" || answer[i] == "-" {
			if expected != answer[i] {
				fail(fmt.Sprintf("%s of %q %s: Kubernetes has %s, EDL %s", name, text, where, expected, answer[i]))
			}
			continue
		}
		read := resource.MustParse(answer[i])
		wanted := resource.MustParse(expected)
		if read.Cmp(wanted) != 0 {
			fail(fmt.Sprintf("%s of %q %s: Kubernetes has %s, EDL %s", name, text, where, expected, answer[i]))
		}
	}
}

// rounded is what a pod has: the API server rounds up to thousandths, what uses bytes takes Value, and a device is whole.
func rounded(quantity resource.Quantity, name string) string {
	one := quantity.DeepCopy()
	one.RoundUp(resource.Milli)
	whole := one.DeepCopy()
	exact := whole.RoundUp(0)
	switch {
	case name == "cpu":
		return one.AsDec().String()
	case name == "memory" || exact:
		return whole.AsDec().String()
	default:
		return "-"
	}
}

func lines(file string) []string {
	opened, err := os.Open(file)
	if err != nil {
		fail(err.Error())
	}
	defer opened.Close()
	var all []string
	scanner := bufio.NewScanner(opened)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		all = append(all, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		fail(err.Error())
	}
	return all
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		fail(err.Error())
	}
	return value
}

func fail(line string) {
	fmt.Fprintln(os.Stderr, line)
	os.Exit(1)
}
